import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { authorizeAccount, confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const body = { instanceUrl: `${testStack.simulatorUrl}/pixelfed` }

let browser: Browser
beforeAll(async () => {
  browser = await signInAdmin(testStack.workspaceId)
})

async function connect() {
  const handle = `p${randomBytes(5).toString('hex')}`
  const address = await authorizeAccount({ platform: 'pixelfed', handle, body })
  const { status, data } = await confirmAccount(browser, address)
  expect(status).toBe(200)
  return { handle, slug: textAt(data, 'slug') }
}

const upload = async () => (await uploadMedia(makePng(7), 'bell.png')).id

/** Guarantee: a server is connected by its address alone, and gets pictures with their alternative texts, a warning and a comment. */
test('an album is published on a server that was named by its address', async () => {
  const { handle, slug } = await connect()
  const [text, comment] = [uniqueText('album'), uniqueText('first')]
  const created = await carillon.content.createPhotos({
    connections: [slug],
    text,
    medias: [await upload(), await upload()],
    mediaOptions: [{ alt: 'A bronze bell' }, { alt: 'A tower' }],
    firstComment: comment,
    platformOptions: { [slug]: { spoiler: 'Loud', visibility: 'unlisted' } },
  })
  const post = await waitUntilFinished(created.uploadId)
  expect(post).toMatchObject({ status: 'completed' })
  const [seen] = await findPlatformPosts(text)
  expect(seen).toMatchObject({ handle, media: [{ alt: 'A bronze bell' }, { alt: 'A tower' }], options: { spoiler_text: 'Loud' } })
  const page = await fetch(post.channels[0]?.result.postUrl ?? '')
  expect(await page.text()).toContain(text)
  await expect.poll(() => findPlatformPosts(comment), { timeout: 20_000 }).toMatchObject([{ replyTo: seen?.id }])
}, 60_000)

/** For a minute another process may still be sending it, so only then it is sent again. */
const recoveredMs = 100_000

/** Guarantee: whether the post was made or not, after a lost answer there is one. */
test.each(['drop_before', 'drop_after'])(
  'the answer is lost (%s), and there is one post',
  async (kind) => {
    const { handle, slug } = await connect()
    const text = uniqueText('lost')
    const medias = [await upload()]
    const fault = { platform: 'pixelfed', handle, operation: 'submit', times: 1, fault: { kind } }
    await callSimulator('POST', 'faults', fault)
    const { uploadId } = await carillon.content.createPhotos({ connections: [slug], text, medias })
    expect(await waitUntilFinished(uploadId, recoveredMs)).toMatchObject({ status: 'completed' })
    expect(await findPlatformPosts(text)).toHaveLength(1)
  },
  120_000,
)

/** Guarantee: a token of a server is renewed with the app that is registered there. */
test('a post is published although the token has ended meanwhile', async () => {
  const { handle, slug } = await connect()
  await callSimulator('POST', 'tokens/expire', { platform: 'pixelfed', handle })
  const text = uniqueText('renewed')
  const { uploadId } = await carillon.content.createPhotos({ connections: [slug], text, medias: [await upload()] })
  expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
  expect(await findPlatformPosts(text)).toHaveLength(1)
})

test('a text alone, and one with what the server would remove, are refused before anything is queued', async () => {
  const { slug } = await connect()
  const refused = { code: 'post_invalid', status: 422 }
  await expect(carillon.content.createText({ connections: [slug], text: 'alone' })).rejects.toMatchObject(refused)
  const medias = [await upload()]
  await expect(carillon.content.createPhotos({ connections: [slug], text: 'I <3 bells', medias })).rejects.toMatchObject(refused)
})
