import type { PlatformInfo, Post } from '@carillon/sdk'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { serveFiles } from '../../support/serve-files.ts'
import { fileOf, formOf, makeMp4, makePdf, makePng } from '../../support/files.ts'
import {
  createDraft,
  dayMs,
  errorPaths,
  readPost,
  textBody,
  tryCreate,
  unknownId,
  uploadMedia,
  type CreatedPost,
  type MediaItem,
} from '../../support/posts.ts'
import {
  bluesky,
  findPlatformPosts,
  mastodon,
  testStack,
  threads,
  timeAfter,
  uniqueText,
  waitUntilFinished,
} from '../../test-stack.ts'

let [png, second, mp4, pdf]: MediaItem[] = []
let website: Awaited<ReturnType<typeof serveFiles>>
beforeAll(async () => {
  png = await uploadMedia(makePng(1), 'one.png')
  second = await uploadMedia(makePng(2), 'two.png')
  mp4 = await uploadMedia(await makeMp4(), 'clip.mp4')
  pdf = await uploadMedia(makePdf(), 'paper.pdf')
  website = await serveFiles({ '/far.png': makePng(9), '/broken.png': new TextEncoder().encode('no picture') })
})
afterAll(() => website.close())

const idOf = (item: MediaItem | undefined) => item?.id ?? ''
const kept = async (kind: string, more: Record<string, unknown>) => readPost(await createDraft(more, kind))
const send = (kind: string, more: Record<string, unknown>) => call<CreatedPost>(`POST /content/${kind}`, { body: textBody(more) })
const later = { scheduledAt: timeAfter(30 * dayMs) }

async function publish(kind: string, more: Record<string, unknown>): Promise<Post> {
  const { uploadId } = await callData<CreatedPost>(`POST /content/${kind}`, { body: textBody(more) })
  return waitUntilFinished(uploadId)
}

describe('photos', () => {
  row('I 4.1 POST /content/photos', async () => {
    const text = uniqueText('with a photo')
    const post = await publish('photos', { text, medias: [idOf(png)] })
    expect([post.status, post.type]).toEqual(['completed', 'photo'])
    expect((await findPlatformPosts(text)).map(({ media }) => media.map(({ mime }) => mime))).toEqual([['image/png']])
  })

  row('I 4.1 photos medias by id', async () => {
    const { medias, type } = await kept('photos', { medias: [idOf(second), idOf(png)] })
    expect([medias.map(({ id }) => id), type]).toEqual([[idOf(second), idOf(png)], 'photo'])
    const reply = await send('photos', { ...later, medias: [unknownId] })
    expect([reply.status, reply.error.code, errorPaths(reply)]).toEqual([422, 'request_invalid', ['medias[0]']])
    const own = { [bluesky]: { medias: [idOf(png), unknownId] } }
    const inOptions = await send('photos', { ...later, medias: [idOf(png)], platformOptions: own })
    expect(errorPaths(inOptions)).toEqual([`platformOptions.${bluesky}.medias[1]`])
    for (const bad of ['one.png', ['picture.png'], [7]])
      expect((await send('photos', { ...later, medias: bad })).status).toBe(422)
  })

  row('I 4.1 photos medias by URL', async () => {
    const { medias } = await kept('photos', { medias: [website.url('/far.png')] })
    expect(medias).toMatchObject([{ type: 'image', mimeType: 'image/png' }])
    expect(await callData(`GET /media/${medias[0]?.id}`)).toMatchObject({ type: 'image' })
  })

  row('I 4.1 photos contentFormat photo_carousel', async () => {
    const text = uniqueText('carousel')
    const more = { text, connections: [threads], medias: [idOf(png), idOf(second)], contentFormat: 'photo_carousel' }
    const post = await publish('photos', more)
    expect([post.status, post.contentFormat, post.medias.length]).toEqual(['completed', 'photo_carousel', 2])
    expect((await findPlatformPosts(text)).map(({ media }) => media.length)).toEqual([2])
  })

  row('I 4.1 photos multipart', async () => {
    const text = uniqueText('multipart')
    const parts: [string, unknown][] = [
      ['connections[]', bluesky],
      ['connections[]', mastodon],
      ['text', text],
      ['saveDraft', 'true'],
    ]
    const form = formOf(...parts, ['medias[]', fileOf(makePng(5), 'a.png')], ['medias[]', fileOf(makePng(6), 'b.png')])
    const { draftId } = await callData<CreatedPost>('POST /content/photos', { form })
    const post = await readPost(draftId)
    expect([post.text, post.channels.length, post.medias.map(({ name }) => name)]).toEqual([text, 2, ['a.png', 'b.png']])
  })

  row('D 5 multipart parts', async () => {
    const form = formOf(
      ['connections', [bluesky]],
      ['text', 'mixed'],
      ['saveDraft', 'true'],
      ['platformOptions', { [bluesky]: { text: 'own' } }],
      ['medias[]', idOf(png)],
      ['medias[]', fileOf(makePng(7), 'c.png')],
    )
    const { draftId } = await callData<CreatedPost>('POST /content/photos', { form })
    const post = await readPost(draftId)
    expect(post.medias.map(({ id, name }) => [id === idOf(png), name])).toEqual([
      [true, 'one.png'],
      [false, 'c.png'],
    ])
    expect(post.platformOptions).toEqual({ [bluesky]: { text: 'own' } })
    const odd = formOf(['connections', [bluesky]], ['surprise', '1'], ['medias[]', idOf(png)])
    expect((await call('POST /content/photos', { form: odd })).status).toBe(422)
  })

  row('D 5 alt', async () => {
    await callData(`PATCH /media/${idOf(second)}`, { body: { alt: 'from the library' } })
    const { medias } = await kept('photos', { medias: [idOf(png), idOf(second)], mediaOptions: [{ alt: 'for this post' }] })
    expect(medias.map(({ alt }) => alt)).toEqual(['for this post', 'from the library'])
    const text = uniqueText('described')
    await publish('photos', { text, connections: [mastodon], medias: [idOf(png), idOf(second)], mediaOptions: [{ alt: 'Here' }] })
    expect((await findPlatformPosts(text))[0]?.media.map(({ alt }) => alt)).toEqual(['Here', 'from the library'])
  })

  row('D 5 async bad media', async () => {
    const reply = await send('photos', { async: true, medias: [website.url('/broken.png')] })
    expect(reply.status).toBe(202)
    const post = await waitUntilFinished(reply.data.requestId)
    expect([post.status, post.channels[0]?.result.status]).toEqual(['failed', 'failed'])
    expect(post.channels[0]?.result.error?.message).toMatch(/\w+/)
  })
})

describe('videos and documents', () => {
  row('I 4.1 POST /content/video', async () => {
    const post = await publish('video', { connections: [mastodon], medias: [idOf(mp4)] })
    expect([post.status, post.type]).toEqual(['completed', 'video'])
  })

  rows(() => Promise.all([[], [idOf(mp4), idOf(mp4)], undefined].map((medias) => send('video', { ...later, medias }))), {
    'I 4.1 video medias': async (refused) => {
      for (const reply of refused) expect([reply.status, errorPaths(reply).join()]).toEqual([422, 'medias'])
      expect((await kept('video', { medias: [idOf(mp4)] })).medias).toHaveLength(1)
    },
    'I 8 video medias': (refused) => expect(refused.map(({ status }) => status)).toEqual([422, 422, 422]),
  })

  row('I 4.1 video short_video', async () => {
    const post = await kept('video', { medias: [idOf(mp4)], contentFormat: 'short_video' })
    expect([post.type, post.contentFormat]).toEqual(['video', 'short_video'])
  })

  row('I 4.1 POST /content/document', async () => {
    expect(await kept('document', { medias: [idOf(pdf)], title: 'Paper' })).toMatchObject({ type: 'document', title: 'Paper' })
    for (const medias of [undefined, [], [idOf(pdf), idOf(pdf)]])
      expect((await send('document', { ...later, medias })).status).toBe(422)
  })

  row('I 4.1 document PDF', async () => {
    const takers = (await callData<PlatformInfo[]>('GET /platforms'))
      .filter(({ document }) => document)
      .map(({ platform }) => platform)
    const taker = testStack.connections.find((slug) => takers.some((platform) => slug.startsWith(`${platform}-`)))
    const text = uniqueText('with a paper')
    const post = await publish('document', { text, connections: [taker], medias: [idOf(pdf)], title: 'Paper' })
    expect([post.status, post.type]).toEqual(['completed', 'document'])
    expect((await findPlatformPosts(text))[0]?.media).toMatchObject([{ mime: 'application/pdf' }])
    const reply = await send('document', { ...later, connections: [bluesky], medias: [idOf(pdf)] })
    expect([reply.status, reply.error.code]).toEqual([422, 'post_invalid'])
  })

  row('D 5 document title', async () => {
    expect((await kept('document', { medias: [idOf(pdf)] })).title).toMatch(/^paper/)
  })

  row('D 5 medias counts', async () => {
    const many = (count: number) => Array.from({ length: count }, () => idOf(png))
    expect((await kept('photos', { medias: many(20) })).medias).toHaveLength(20)
    for (const medias of [[], many(21), undefined])
      expect(errorPaths(await send('photos', { ...later, medias })).join()).toContain('medias')
    for (const kind of ['video', 'document'])
      expect([kind, (await send(kind, { ...later, medias: [idOf(png)] })).status]).toEqual([kind, 422])
    expect((await send('photos', { ...later, medias: [idOf(pdf)] })).status).toBe(422)
  })

  row('I 1 kinds', async () => {
    const kinds = [(await tryCreate({})).data.uploadId, await createDraft({ medias: [idOf(png)] }, 'photos')]
    kinds.push(await createDraft({ medias: [idOf(mp4)] }, 'video'), await createDraft({ medias: [idOf(pdf)] }, 'document'))
    const types = await Promise.all(kinds.map(async (id) => (await readPost(id)).type))
    expect(types).toEqual(['text', 'photo', 'video', 'document'])
  })

  row('I 1 library', async () => {
    const posts = [await createDraft({ medias: [idOf(png)] }, 'photos'), await createDraft({ medias: [idOf(png)] }, 'photos')]
    const { usedBy } = await callData<{ usedBy: string[] }>(`GET /media/${idOf(png)}`)
    for (const id of posts) expect(usedBy).toContain(id)
  })
})
