import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Media } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostApi } from '../post-api.fixture.ts'

/** Guarantee: an alt text is written once. The first one of a photo becomes that of the file; later ones belong to their post. */

let api: PostApi
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-alt-'))
  api = await PostApi.start(dir)
}, 60_000)
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const altOf = async (id: string) => (await api.send<Media>('GET', `/media/${id}`)).data.alt
const withAlt = (photo: string, alt: string) => ({ medias: [photo], mediaOptions: [{ alt }] })

test('the first alt text of a photo becomes that of the file, and no later one', async () => {
  const photo = await api.uploadPhoto()
  await api.create(withAlt(photo, ' A bell at dusk '))
  expect(await altOf(photo)).toBe('A bell at dusk')
  await api.create(withAlt(photo, 'Another bell'))
  expect(await altOf(photo)).toBe('A bell at dusk')
})

test('that of one account counts too, after the common one', async () => {
  const [photo, other] = [await api.uploadPhoto(), await api.uploadPhoto()]
  await api.create({
    medias: [photo, other],
    mediaOptions: [{ alt: 'A bell' }, {}],
    platformOptions: { [api.first]: { mediaOptions: [{ alt: 'A bell for this account' }, { alt: 'A rope' }] } },
  })
  expect([await altOf(photo), await altOf(other)]).toEqual(['A bell', 'A rope'])
})

test('a draft is still being written; its alt text counts when it is published or scheduled', async () => {
  const photo = await api.uploadPhoto()
  const id = await api.create({ ...withAlt(photo, 'A be'), saveDraft: true })
  await api.send('PATCH', `/content/${id}`, withAlt(photo, 'A bell'))
  expect(await altOf(photo)).toBe('')
  expect((await api.send('POST', `/content/${id}/publish`)).status).toBe(200)
  expect(await altOf(photo)).toBe('A bell')
})

test('one that is written into a scheduled post counts when it is saved', async () => {
  const photo = await api.uploadPhoto()
  const id = await api.create({ medias: [photo], scheduledAt: new Date(Date.now() + 86_400_000).toISOString() })
  expect(await altOf(photo)).toBe('')
  const change = { ...withAlt(photo, 'A bell'), keepSchedule: true }
  expect((await api.send('PATCH', `/content/${id}`, change)).status).toBe(200)
  expect(await altOf(photo)).toBe('A bell')
})
