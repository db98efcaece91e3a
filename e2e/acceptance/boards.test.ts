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

async function connect(prefix = 'p') {
  const handle = `${prefix}${randomBytes(5).toString('hex')}`
  const { status, data } = await confirmAccount(browser, await authorizeAccount({ platform: 'pinterest', handle }))
  expect(status).toBe(200)
  return { handle, slug: textAt(data, 'slug') }
}

const upload = async () => (await uploadMedia(makePng(7), 'bell.png')).id

/** Guarantee: a pin goes to the board and the section that its author names, with its title, its link and its alternative text. */
test('a picture is saved on a board that is named in words', async () => {
  const { slug } = await connect('many-')
  const text = uniqueText('on a board')
  const created = await carillon.content.createPhotos({
    connections: [slug],
    text,
    title: 'On bells',
    linkUrl: 'https://a.example/bells',
    medias: [await upload()],
    mediaOptions: [{ alt: 'A bronze bell' }],
    platformOptions: { [slug]: { board: 'Bells', section: 'Old' } },
  })
  const post = await waitUntilFinished(created.uploadId)
  expect(post).toMatchObject({ status: 'completed' })
  const page = await fetch(post.channels[0]?.result.postUrl ?? '')
  expect(await page.text()).toContain('On bells')
  const [seen] = await findPlatformPosts(text)
  expect(seen).toMatchObject({ link: { url: 'https://a.example/bells' }, options: { alt_text: 'A bronze bell' } })
  expect(seen?.text).toBe(text)
  const removed = await carillon.content.remove(created.uploadId, { unpublish: 'true' })
  expect(removed?.channels.map(({ outcome }) => outcome)).toEqual(['removed'])
}, 60_000)

/** Guarantee: an answer that is lost leads to no second pin. */
test('the answer to a pin is lost, and there is one pin', async () => {
  const { handle, slug } = await connect()
  const text = uniqueText('lost')
  const medias = [await upload()]
  const fault = { kind: 'drop_after' }
  await callSimulator('POST', 'faults', { platform: 'pinterest', handle, operation: 'submit', times: 1, fault })
  const { uploadId } = await carillon.content.createPhotos({ connections: [slug], text, medias })
  const post = await waitUntilFinished(uploadId)
  expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success' } }] })
  expect(await findPlatformPosts(text)).toHaveLength(1)
}, 60_000)

test('an app without Standard access fails with a reason', async () => {
  const errorFor = async (slug: string) => {
    const { uploadId } = await carillon.content.createPhotos({
      connections: [slug],
      text: uniqueText('refused'),
      medias: [await upload()],
    })
    return (await waitUntilFinished(uploadId)).channels[0]?.result.error
  }
  const trial = { code: 'content_rejected', message: expect.stringContaining('Trial access') }
  expect(await errorFor((await connect('trial-')).slug)).toMatchObject(trial)
}, 60_000)

/** Guarantee: who has several boards and names none learns it before the post is stored, in the one answer about everything. */
test('no board is chosen of several: one 422 when the post is created', async () => {
  const { slug } = await connect('many-')
  const text = uniqueText('nowhere')
  const medias = [await upload()]
  const body = { connections: [slug], text: 'a'.repeat(801), medias }
  // What the account has is learned as soon as it is connected.
  await expect.poll(async () => (await carillon.connections.capabilities(await idOf(slug))).needs).toEqual(['board'])
  const refused = await carillon.content.createPhotos(body).then(
    () => null,
    (error: unknown) => error,
  )
  expect(refused).toMatchObject({ status: 422, code: 'post_invalid' })
  const codes = (refused as { details?: { code: string }[] }).details?.map(({ code }) => code)
  expect(codes?.toSorted()).toEqual(['setting_needed', 'text_too_long'])
  const chosen = { connections: [slug], text, medias, platformOptions: { [slug]: { board: 'Bells' } } }
  expect(await waitUntilFinished((await carillon.content.createPhotos(chosen)).uploadId)).toMatchObject({ status: 'completed' })
}, 60_000)

async function idOf(slug: string): Promise<string> {
  const connections = await carillon.workspaces.connections(testStack.workspaceId)
  return connections.find((each) => each.slug === slug)?.id ?? ''
}
