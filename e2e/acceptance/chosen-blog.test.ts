import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { authorizeAccount, confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const home = `/api/workspaces/${testStack.workspaceId}/connections`

let browser: Browser
beforeAll(async () => {
  browser = await signInAdmin(testStack.workspaceId)
})

type Target = { id: string; name: string }

async function connectWriter() {
  const name = `w${randomBytes(5).toString('hex')}`
  const { status, data } = await confirmAccount(browser, await authorizeAccount({ platform: 'tumblr', handle: `writer-${name}` }))
  expect(status).toBe(200)
  const [id, slug] = [textAt(data, 'id'), textAt(data, 'slug')]
  const { targets = [] }: { targets?: Target[] } = Object(data)
  return { name, person: `writer-${name}`, id, slug, targets }
}

/** Guarantee: a person signs in once, and posts go to the blog that they chose, with all that belongs to them. */
test('posts go to the primary blog until another one is chosen, and carry pictures, alternative texts and tags', async () => {
  const { name, id, slug, targets } = await connectWriter()
  expect(targets.map((target) => target.name)).toEqual([name, `${name}-sketches`].map((blog) => `The blog ${blog}`))
  const first = uniqueText('primary')
  await waitUntilFinished((await carillon.content.createText({ connections: [slug], text: first })).uploadId)
  expect(await findPlatformPosts(first)).toMatchObject([{ handle: name }])

  const chosen = await sendRequest('PATCH', `${home}/${id}/pages`, { body: { targetId: targets[1]?.id } })
  expect(chosen.status).toBe(200)
  const medias: string[] = []
  for (const side of [7, 8]) medias.push((await uploadMedia(makePng(side), `bell-${side}.png`)).id)
  const text = uniqueText('sketches')
  const created = await carillon.content.createPhotos({
    connections: [slug],
    text,
    title: 'On bells',
    medias,
    mediaOptions: [{ alt: 'A bronze bell' }, { alt: 'A tower' }],
    platformOptions: { [slug]: { tags: ['bell towers', 'noon'], reblogs: 'noone' } },
  })
  const post = await waitUntilFinished(created.uploadId)
  expect(post).toMatchObject({ status: 'completed' })
  expect(await findPlatformPosts(text)).toMatchObject([
    {
      handle: `${name}-sketches`,
      media: [{ alt: 'A bronze bell' }, { alt: 'A tower' }],
      options: { tags: 'bell towers,noon', interactability_reblog: 'noone' },
    },
  ])
  const page = await fetch(post.channels[0]?.result.postUrl ?? '')
  expect(await page.text()).toContain('On bells')
  const removed = await carillon.content.remove(created.uploadId, { unpublish: 'true' })
  expect(removed?.channels.map(({ outcome }) => outcome)).toEqual(['removed'])
  expect(await findPlatformPosts(text)).toMatchObject([{ deleted: true }])
})

/** Guarantee: an answer that is lost leads to no second post, and a day that is used up to no failure. */
test('a post whose answer was lost is found, and one that the day does not allow waits', async () => {
  const { person, slug } = await connectWriter()
  const fail = (fault: object) =>
    callSimulator('POST', 'faults', { platform: 'tumblr', handle: person, operation: 'submit', times: 1, fault })
  const text = uniqueText('lost')
  await fail({ kind: 'drop_after' })
  const lost = await waitUntilFinished((await carillon.content.createText({ connections: [slug], text })).uploadId)
  expect(lost).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success' } }] })
  expect(await findPlatformPosts(text)).toHaveLength(1)

  const body = JSON.stringify({ meta: { status: 403, msg: 'Forbidden' }, errors: [{ title: 'Forbidden', code: 8023 }] })
  await fail({ kind: 'status', status: 403, body })
  const { uploadId } = await carillon.content.createText({ connections: [slug], text: uniqueText('tomorrow') })
  const result = async () => (await carillon.content.get(uploadId)).channels[0]?.result
  await expect.poll(result, { timeout: 20_000 }).toMatchObject({ error: { code: 'platform_rate_limited', reason: 'day_limit' } })
})

/** Guarantee: a token of 42 minutes ends without anybody noticing. */
test('a post is published although the token has ended meanwhile', async () => {
  const { person, slug } = await connectWriter()
  await callSimulator('POST', 'tokens/expire', { platform: 'tumblr', handle: person })
  const text = uniqueText('renewed')
  const post = await waitUntilFinished((await carillon.content.createText({ connections: [slug], text })).uploadId)
  expect(post.status).toBe('completed')
  expect(await findPlatformPosts(text)).toHaveLength(1)
})
