import { expect, test } from 'vitest'
import { makeMp4, makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { carillon, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

test('a post on a real Bluesky PDS can be read back from it', async () => {
  const { bluesky } = testStack.real
  if (!bluesky) throw new Error('the end-to-end run always starts a PDS')
  const text = uniqueText('hello, real PDS, see https://example.com and #carillon')
  const post = await waitUntilFinished(
    (await carillon.content.createText({ connections: [bluesky.slug], text, firstComment: 'and a reply' })).uploadId,
  )
  expect(post.status).toBe('completed')
  const [, , , collection, rkey] = (post.channels[0]?.result.postId ?? '').split('/')
  const query = new URLSearchParams({ repo: bluesky.did, collection: collection ?? '', rkey: rkey ?? '' })
  const record = await (await fetch(`${bluesky.readUrl}/xrpc/com.atproto.repo.getRecord?${query.toString()}`)).json()
  expect(record).toMatchObject({ value: { text, facets: [{}, {}] } })
})

/** Guarantee: a server of one's own, without a video service and older than galleries, takes both. */
test('a video and a gallery of photos on a real Bluesky PDS can be read back from it', async () => {
  const { bluesky } = testStack.real
  if (!bluesky) throw new Error('the end-to-end run always starts a PDS')
  const connections = [bluesky.slug]
  const readEmbed = async (uploadId: string) => {
    const post = await waitUntilFinished(uploadId)
    expect(post.status).toBe('completed')
    const [, , , collection, rkey] = (post.channels[0]?.result.postId ?? '').split('/')
    const query = new URLSearchParams({ repo: bluesky.did, collection: collection ?? '', rkey: rkey ?? '' })
    const record = await (await fetch(`${bluesky.readUrl}/xrpc/com.atproto.repo.getRecord?${query.toString()}`)).json()
    const warnings = post.channels[0]?.result.warnings
    return { embed: (record as { value: { embed: unknown } }).value.embed, warnings }
  }
  const film = await uploadMedia(await makeMp4(), 'clip.mp4')
  const video = await carillon.content.createVideo({ connections, text: uniqueText('a film'), medias: [film.id] })
  expect(await readEmbed(video.uploadId)).toMatchObject({
    embed: { $type: 'app.bsky.embed.video', video: { mimeType: 'video/mp4' } },
    warnings: [expect.stringContaining('converts this video only now')],
  })
  const medias = await Promise.all([1, 2, 3, 4, 5].map(async (n) => (await uploadMedia(makePng(n), `${n}.png`)).id))
  const photos = await carillon.content.createPhotos({ connections, text: uniqueText('five'), medias })
  const { embed, warnings } = await readEmbed(photos.uploadId)
  expect(embed).toMatchObject({
    $type: 'app.bsky.embed.gallery',
    items: medias.map(() => ({ image: { mimeType: 'image/png' } })),
  })
  expect(warnings).toEqual([])
})

test('a text that is too long for Bluesky is rejected before anything is queued', async () => {
  const connections = [testStack.real.bluesky?.slug ?? '']
  await expect(carillon.content.createText({ connections, text: 'a'.repeat(301) })).rejects.toMatchObject({
    code: 'post_invalid',
    details: [{ path: 'connections[0].text' }],
  })
})

test('a post on a real snac can be read back from it', async ({ skip }) => {
  const { mastodon } = testStack.real
  if (!mastodon) return skip('snac cannot be installed on this machine')
  const text = uniqueText('hello, fediverse')
  const post = await waitUntilFinished((await carillon.content.createText({ connections: [mastodon.slug], text })).uploadId)
  expect(post.status).toBe('completed')
  const status = await fetch(`${mastodon.readUrl}/api/v1/statuses/${post.channels[0]?.result.postId ?? ''}`, {
    headers: { authorization: `Bearer ${mastodon.token}` },
  })
  expect(await status.text()).toContain(text)
})
