import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { authorizeAccount, confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

let browser: Browser
beforeAll(async () => {
  browser = await signInAdmin(testStack.workspaceId)
})

async function connect(prefix = 'r') {
  const handle = `${prefix}${randomBytes(5).toString('hex')}`
  const { status, data } = await confirmAccount(browser, await authorizeAccount({ platform: 'reddit', handle }))
  expect(status).toBe(200)
  return { handle, slug: textAt(data, 'slug') }
}

/** Guarantee: a post goes where its author says, with its flair, and a comment follows it. */
test('a link goes to the subreddit that it names, with a flair and a first comment', async () => {
  const { slug } = await connect()
  const [text, comment] = [uniqueText('in a subreddit'), uniqueText('first')]
  const created = await carillon.content.createText({
    connections: [slug],
    text,
    title: 'On bells',
    linkUrl: 'https://a.example/bells',
    firstComment: comment,
    platformOptions: { [slug]: { subreddit: 'r/bells', flair: 'news' } },
  })
  const post = await waitUntilFinished(created.uploadId)
  expect(post).toMatchObject({ status: 'completed' })
  const page = await fetch(post.channels[0]?.result.postUrl ?? '')
  expect(await page.text()).toContain('On bells')
  const [seen] = await findPlatformPosts(text)
  expect(seen).toMatchObject({ url: expect.stringContaining('/r/bells/'), link: { url: 'https://a.example/bells' } })
  expect(seen?.options).toMatchObject({ flair_id: expect.any(String) })
  await expect.poll(() => findPlatformPosts(comment), { timeout: 20_000 }).toMatchObject([{ replyTo: seen?.id }])
  const removed = await carillon.content.remove(created.uploadId, { unpublish: 'true' })
  expect(removed?.channels.map(({ outcome }) => outcome)).toEqual(['removed'])
}, 60_000)

/** Guarantee: an answer that is lost leads to no second post, be it a text or an image that Reddit converts first. */
test.each(['text', 'image'])(
  'the answer to a post with %s is lost, and there is one post',
  async (kind) => {
    const { handle, slug } = await connect()
    const text = uniqueText('lost')
    const body = { connections: [slug], text, platformOptions: { [slug]: { subreddit: 'bells' } } }
    const medias = kind === 'image' ? [(await uploadMedia(makePng(7), 'bell.png')).id] : []
    const fault = { kind: 'drop_after' }
    await callSimulator('POST', 'faults', { platform: 'reddit', handle, operation: 'submit', times: 1, fault })
    const made = kind === 'image' ? carillon.content.createPhotos({ ...body, medias }) : carillon.content.createText(body)
    const post = await waitUntilFinished((await made).uploadId)
    expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success' } }] })
    expect(await findPlatformPosts(text)).toHaveLength(1)
  },
  60_000,
)

test('a flair that the subreddit does not have, and a subreddit that takes nothing from the account, fail with a reason', async () => {
  const { slug } = await connect()
  const errorFor = async (options: Record<string, unknown>) => {
    const { uploadId } = await carillon.content.createText({
      connections: [slug],
      text: uniqueText('refused'),
      platformOptions: { [slug]: options },
    })
    return (await waitUntilFinished(uploadId)).channels[0]?.result.error
  }
  expect(await errorFor({ subreddit: 'bells', flair: 'Unheard of' })).toMatchObject({
    code: 'content_rejected',
    message: expect.stringContaining('Unheard of'),
  })
  expect(await errorFor({ subreddit: 'restricted_club' })).toMatchObject({ code: 'content_rejected' })
})

test('an account that must pause waits for as long as Reddit says', async () => {
  const { slug } = await connect('young_')
  const create = async () => (await carillon.content.createText({ connections: [slug], text: uniqueText('eager') })).uploadId
  expect(await waitUntilFinished(await create())).toMatchObject({ status: 'completed' })
  const second = await create()
  const result = async () => (await carillon.content.get(second)).channels[0]?.result
  await expect.poll(result, { timeout: 20_000 }).toMatchObject({ error: { code: 'platform_rate_limited' } })
})
