import { expect, test } from 'vitest'
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
