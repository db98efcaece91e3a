import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Verdict } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostApi } from './post-api.fixture.ts'

let api: PostApi
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-split-'))
  api = await PostApi.start(dir)
}, 60_000)
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const words = (count: number) => Array.from({ length: count }, (_, index) => `bell${index}`).join(' ')
/** Mastodon takes 500 characters. */
const long = words(150)
const short = 'The bells ring at nine.'

test('a text that is too long becomes a thread for the accounts that need one', async () => {
  const body = {
    connections: [api.first, api.second],
    text: long,
    saveDraft: true,
    platformOptions: { [api.second]: { text: short } },
  }
  expect((await api.send('POST', '/content/text', { ...body, saveDraft: false })).status).toBe(422)
  const id = await api.create({ ...body, splitLongText: 'numbered' })
  const { text, platformOptions, issues } = await api.get(id)
  expect([text, issues, platformOptions[api.second]]).toEqual([long, [], { text: short }])
  const own = platformOptions[api.first]
  expect(own).toMatchObject({ splitLongText: 'numbered', text: expect.stringMatching(/ 1\/\d$/) })
  const parts = [own?.text ?? '', ...(own?.thread ?? []).map((part) => part.text)]
  expect(parts.map((part) => part.replace(/ \d\/\d$/, '')).join(' ')).toBe(long)
  const channels = await api.channels(id)
  expect(channels.map((channel) => [channel.parts, channel.thread_parts])).toEqual([
    [parts.length, parts.length - 1],
    [1, 0],
  ])
})

test('the thread follows the common text, and an account’s own text stays its own', async () => {
  const id = await api.create({ connections: [api.first], text: long, saveDraft: true, splitLongText: 'plain' })
  const longer = words(260)
  const changed = await api.send('PATCH', `/content/${id}`, { text: longer })
  const own = changed.data.platformOptions[api.first]
  expect([own?.text ?? '', ...(own?.thread ?? []).map((part) => part.text)].join(' ')).toBe(longer)
  const fitting = await api.send('PATCH', `/content/${id}`, { text: short })
  expect(fitting.data.platformOptions[api.first]).toEqual({ splitLongText: 'plain' })
  expect((await api.channels(id)).map((channel) => channel.parts)).toEqual([1])

  const options = { [api.first]: { text: long } }
  const made = await api.send('PATCH', `/content/${id}`, { platformOptions: options, splitLongText: 'plain' })
  const ownThread = made.data.platformOptions[api.first]
  expect(ownThread).not.toHaveProperty('splitLongText')
  const kept = await api.send('PATCH', `/content/${id}`, { text: 'Another common text.' })
  expect(kept.data.platformOptions[api.first]).toEqual(ownThread)
})

test('validate says what a split text would meet', async () => {
  const body = { type: 'text', connections: [api.first], text: long }
  expect((await api.send<Verdict>('POST', '/content/validate', body)).data.valid).toBe(false)
  expect((await api.send<Verdict>('POST', '/content/validate', { ...body, splitLongText: 'plain' })).data).toMatchObject({
    valid: true,
    issues: [],
  })
  const endless = await api.send<Verdict>('POST', '/content/validate', { ...body, text: words(2_500), splitLongText: 'plain' })
  expect(endless.data.issues).toMatchObject([{ code: 'thread_too_many_posts', params: { limit: 25 } }])
})
