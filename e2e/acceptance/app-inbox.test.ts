import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { makePng } from '../support/files.ts'
import { uploadMedia } from '../support/posts.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { callSimulator, carillon, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const dayMs = 86_400_000
const newHandle = (prefix: string) => `${prefix}${randomBytes(5).toString('hex')}`

let browser: Browser
beforeAll(async () => {
  browser = await signInAdmin(testStack.workspaceId)
})

/** With the permissions that every app asks for, and these. */
async function connect(handle: string, ...scopes: string[]): Promise<string> {
  const start = await sendRequest('POST', '/integrations/tiktok/start', { body: {} })
  const consent = new URL(textAt(start.data, 'authorizeUrl'))
  const asked = [consent.searchParams.get('scope'), ...scopes].join(',')
  for (const [name, value] of Object.entries({ scope: asked, auto: '1', handle })) consent.searchParams.set(name, value)
  const { location } = await sendRequest('GET', consent.href, { key: null })
  return textAt((await confirmAccount(browser, location ?? '')).data, 'slug')
}

async function putIntoInbox(slug: string) {
  const medias = [(await uploadMedia(makePng(11), 'bell.png')).id]
  const platformOptions = { [slug]: { delivery: 'inbox' } }
  return carillon.content.createPhotos({ connections: [slug], text: uniqueText('for the inbox'), medias, platformOptions })
}

/**
 * Guarantee: a post in the inbox of the app is published when a person has finished it there, and until then it says where it waits and for how
 * long.
 */
test('photos wait in the inbox of the app', async () => {
  const quick = newHandle('quick-')
  const finished = await putIntoInbox(await connect(quick, 'video.upload'))
  const waits = await putIntoInbox(await connect(newHandle('never-'), 'video.upload'))

  const post = await waitUntilFinished(finished.uploadId)
  expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', waiting: null } }] })
  const [result] = post.channels.map((channel) => channel.result)
  expect(result?.warnings.filter((warning) => warning.includes('inbox of its app'))).toHaveLength(1)
  expect(result?.warnings.filter((warning) => warning.includes('who can see'))).toEqual([])
  const posts = await callSimulator<{ text: string; url: string }[]>('GET', `posts?platform=tiktok&handle=${quick}`)
  expect(posts).toMatchObject([{ text: `Written in the app by ${quick}` }])

  const read = async () => (await carillon.content.get(waits.uploadId)).channels[0]?.result
  await expect.poll(async () => (await read())?.waiting, { timeout: 30_000 }).toMatchObject({ reason: 'finish_in_app' })
  const waiting = await read()
  expect(waiting?.status).toBe('publishing')
  expect(Math.abs(Date.parse(waiting?.waiting?.until ?? '') - Date.now() - dayMs)).toBeLessThan(120_000)
}, 60_000)

/** Guarantee: an account without the permission for the inbox is told so when the post is written, and stays connected. */
test('an account without the permission is not offered the inbox', async () => {
  const slug = await connect(newHandle('plain-'))
  await expect(putIntoInbox(slug)).rejects.toMatchObject({
    details: [expect.objectContaining({ path: `platformOptions.${slug}.delivery`, code: 'setting_not_offered' })],
  })
}, 60_000)
