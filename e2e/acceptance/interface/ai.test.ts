import type { PlatformInfo } from '@carillon/sdk'
import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { readLastPrompt, setModelAnswers } from '../../support/language-model.ts'
import { errorPaths } from '../../support/posts.ts'
import { uniqueText } from '../../test-stack.ts'

const platforms = ['bluesky', 'x']
const about = 'Our bakery opens a second shop on Monday.'
type Captions = { content: Record<string, string> }
type Tags = { platform: string; hashtags: string[] }[]

const generate = (more: Record<string, unknown> = {}) =>
  call<Captions>('POST /ai/generate-content', { body: { uploadType: 'text', platforms, text: about, ...more } })
const suggest = (more: Record<string, unknown> = {}) =>
  call<Tags>('POST /ai/suggest-hashtags', { body: { text: about, platforms, ...more } })
const bare = (tag: string) => tag.replace('#', '').toLowerCase()

row('I 4.3 GET /ai/status', async () => {
  expect(await callData('GET /ai/status')).toEqual({ available: true, model: 'test-model' })
})

describe('captions', () => {
  row('I 4.3 POST /ai/generate-content', async () => {
    const { status, data } = await generate()
    expect([status, Object.keys(data.content).toSorted()]).toEqual([200, platforms])
    for (const caption of Object.values(data.content)) expect(caption).toMatch(/\w+/)
  })

  row('I 4.3 generate uploadType', async () => {
    for (const uploadType of ['text', 'photo', 'video', 'document']) expect((await generate({ uploadType })).status).toBe(200)
    for (const uploadType of [undefined, 'opera']) expect(errorPaths(await generate({ uploadType }))).toContain('uploadType')
  })

  row('I 4.3 generate platforms', async () => {
    for (const bad of [undefined, [], 'x', ['nowhere']])
      expect(errorPaths(await generate({ platforms: bad })).join()).toContain('platforms')
  })

  row('I 4.3 generate context', async () => {
    expect((await generate({ text: undefined })).status).toBe(200)
    const context = { text: uniqueText('text'), title: uniqueText('title'), description: uniqueText('description') }
    expect((await generate(context)).status).toBe(200)
    for (const words of Object.values(context)) expect(await readLastPrompt()).toContain(words)
    for (const field of ['text', 'title', 'description']) expect(errorPaths(await generate({ [field]: 7 }))).toEqual([field])
  })

  row('I 4.3 generate tone', async () => {
    for (const tone of ['professional', 'casual', 'humorous', 'inspirational', 'informative'])
      expect([tone, (await generate({ tone })).status, (await readLastPrompt()).toLowerCase().includes(tone)]).toEqual([
        tone,
        200,
        true,
      ])
    expect(errorPaths(await generate({ tone: 'angry' }))).toEqual(['tone'])
  })

  row('I 4.3 generate brandVoice', async () => {
    const brandVoice = uniqueText('warm and plain')
    expect((await generate({ brandVoice })).status).toBe(200)
    expect(await readLastPrompt()).toContain(brandVoice)
    expect(errorPaths(await generate({ brandVoice: 7 }))).toEqual(['brandVoice'])
  })

  row('D 8 captions fit', async () => {
    const known = await callData<PlatformInfo[]>('GET /platforms')
    const all = known.map(({ platform }) => platform)
    const { content } = (await generate({ platforms: all, text: 'bells and towers '.repeat(300) })).data
    for (const { platform, text } of known) {
      expect(content[platform]).toMatch(/\w+/)
      expect([...(content[platform] ?? '')].length).toBeLessThanOrEqual(text.max)
    }
    // The model answers with too long texts again and again: the service then cuts the text after a whole sentence.
    await setModelAnswers({ length: 5000 }, { length: 5000 })
    const cut = (await generate({ platforms: all })).data.content
    for (const { platform, text } of known) {
      const caption = cut[platform] ?? ''
      expect([platform, caption.length <= text.max, caption.length > text.max / 2 || text.max > 5000]).toEqual([
        platform,
        true,
        true,
      ])
      expect(caption).toMatch(/(?:nine|small|coat|welcome)\.$/)
    }
  })

  row('I 1 ai', async () => {
    expect(Object.keys((await generate()).data.content)).toHaveLength(2)
    expect((await suggest()).data.map(({ platform }) => platform)).toEqual(platforms)
  })
})

describe('hashtags', () => {
  rows(() => suggest({ count: 3, existingHashtags: ['#bakery'] }), {
    'I 4.3 POST /ai/suggest-hashtags': ({ data }) =>
      expect(data).toEqual(platforms.map((platform) => ({ platform, hashtags: expect.any(Array) }))),
    'I 4.3 hashtags count': async ({ data }) => {
      for (const { hashtags } of data) expect(hashtags.length).toBeLessThanOrEqual(3)
      for (const count of [0, 31, 2.5, 'two']) expect(errorPaths(await suggest({ count }))).toEqual(['count'])
    },
    'I 4.3 hashtags existingHashtags': async ({ data }) => {
      for (const { hashtags } of data) expect(hashtags.map(bare)).not.toContain('bakery')
      expect(errorPaths(await suggest({ existingHashtags: 'bakery' }))).toEqual(['existingHashtags'])
    },
    'I 4.3 hashtags text': async () => {
      for (const text of [undefined, '', 7]) expect(errorPaths(await suggest({ text }))).toEqual(['text'])
    },
    'I 4.3 hashtags platforms': async () => {
      for (const bad of [undefined, [], 'x']) expect(errorPaths(await suggest({ platforms: bad })).join()).toContain('platforms')
    },
    'D 8 hashtags': async () => {
      for (const { hashtags } of (await suggest()).data) {
        expect(hashtags.length).toBeGreaterThan(0)
        expect(hashtags.length).toBeLessThanOrEqual(5)
        expect(new Set(hashtags.map(bare)).size).toBe(hashtags.length)
      }
    },
  })
})

rows(
  async () => {
    const { id } = await callData<{ id: string }>('POST /workspaces', { body: { name: uniqueText('Frugal') } })
    await callData(`PATCH /workspaces/${id}`, { body: { plan: 'free' } })
    return id
  },
  {
    'D 8 status on every plan': async (workspace) => expect((await call('GET /ai/status', { workspace })).status).toBe(200),
    'D 8 plan_required': async (workspace) => {
      const bodies = { 'generate-content': { uploadType: 'text', platforms }, 'suggest-hashtags': { text: about, platforms } }
      for (const [path, body] of Object.entries(bodies)) {
        const reply = await call(`POST /ai/${path}`, { workspace, body })
        expect([reply.status, reply.error.code, reply.error.action]).toEqual([403, 'plan_required', 'upgrade_plan'])
      }
    },
    'I 8 AI tier': async (workspace) => {
      const ask = () => call('POST /ai/generate-content', { workspace, body: { uploadType: 'text', platforms } })
      expect((await ask()).status).toBe(403)
      for (const plan of ['pro', 'business']) {
        await callData(`PATCH /workspaces/${workspace}`, { body: { plan } })
        expect([plan, (await ask()).status]).toEqual([plan, 200])
      }
      await callData(`DELETE /workspaces/${workspace}`)
    },
  },
)
