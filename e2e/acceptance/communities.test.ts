import { randomBytes } from 'node:crypto'
import type { Post } from '@carillon/sdk'
import { openAccount } from '@carillon/stack'
import { expect, test } from 'vitest'
import { callData } from '../support/call.ts'
import { makePng } from '../support/files.ts'
import { findSubmits } from '../support/find-submits.ts'
import { uploadMedia } from '../support/posts.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const instanceUrl = `${testStack.simulatorUrl}/lemmy`

const connect = (body: object, workspaceId = testStack.workspaceId) =>
  sendRequest('POST', '/integrations/lemmy/password', { body, workspaceId })

async function openPerson(prefix = 'l') {
  const handle = `${prefix}${randomBytes(5).toString('hex')}`
  const { credentials } = await openAccount(testStack.simulatorUrl, 'lemmy', handle)
  const accountPassword = textAt(credentials['extra'], 'password')
  return { handle, fields: { username: handle, accountPassword, community: 'bells' } }
}

async function openConnection() {
  const { handle, fields } = await openPerson()
  const made = await connect({ fields, instanceUrl })
  return { handle, fields, made, slug: textAt(made.data, 'slug') }
}

async function readPage({ channels }: Post): Promise<string> {
  return (await fetch(channels[0]?.result.postUrl ?? '')).text()
}

/** Guarantee: a person connects a server of their own, and a post goes to the community that it names or to that of the connection. */
test('an account is connected with its password, which is not shown, and posts a link and a picture with a comment', async () => {
  const { handle, fields, made, slug } = await openConnection()
  const { host } = new URL(instanceUrl)
  expect(made).toMatchObject({ data: { platform: 'lemmy', handle: `${handle}@${host}`, instanceUrl } })
  expect(JSON.stringify(made)).not.toContain(fields.accountPassword)

  const text = uniqueText('in the community of the connection')
  const link = await carillon.content.createText({
    connections: [slug],
    text,
    title: 'On bells',
    linkUrl: 'https://a.example/bells',
  })
  const post = await waitUntilFinished(link.uploadId)
  expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', warnings: [] } }] })
  const page = await readPage(post)
  expect([page.includes('On bells'), page.includes('Bells &amp; Towers')]).toEqual([true, true])
  expect(await findPlatformPosts(text)).toMatchObject([{ link: { url: 'https://a.example/bells' } }])

  const { id } = await uploadMedia(makePng(7), 'tower.png')
  const [shown, comment] = [uniqueText('in another community'), uniqueText('first')]
  const picture = await carillon.content.createPhotos({
    connections: [slug],
    text: shown,
    title: 'A tower',
    medias: [id],
    mediaOptions: [{ alt: 'A tower of bronze' }],
    firstComment: comment,
    platformOptions: { [slug]: { community: '!towers@far.example', nsfw: true } },
  })
  const other = await waitUntilFinished(picture.uploadId)
  expect(other).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', warnings: [] } }] })
  const otherPage = await readPage(other)
  expect([otherPage.includes('A tower'), otherPage.includes('Bells &amp; Towers')]).toEqual([true, false])
  const [seen] = await findPlatformPosts(shown)
  expect(seen).toMatchObject({ media: [{ alt: 'A tower of bronze' }], options: { nsfw: 'yes' } })
  await expect.poll(() => findPlatformPosts(comment), { timeout: 20_000 }).toMatchObject([{ replyTo: seen?.id }])

  for (const { uploadId } of [link, picture]) {
    const removed = await carillon.content.remove(uploadId, { unpublish: 'true' })
    expect(removed?.channels.map(({ outcome }) => outcome)).toEqual(['removed'])
  }
  const left = [...(await findPlatformPosts(text)), ...(await findPlatformPosts(shown))]
  expect(left.map(({ deleted }) => deleted)).toEqual([true, true])
}, 90_000)

/** For a minute another process may still be sending it, so only then the server is asked. */
const recoveredMs = 150_000

/** Guarantee: Lemmy recognises no repeat. A post whose answer was lost is found, and one that is not there is not sent again but left in doubt. */
test('the answer to a post is lost, and there is at most one post', { timeout: 180_000 }, async () => {
  const outcomes = ['drop_after', 'drop_before'].map(async (kind) => {
    const { handle, slug } = await openConnection()
    await callSimulator('POST', 'faults', { platform: 'lemmy', handle, operation: 'submit', times: 1, fault: { kind } })
    const text = uniqueText(`lost, ${kind}`)
    const { uploadId } = await carillon.content.createText({ connections: [slug], text })
    const { channels } = await waitUntilFinished(uploadId, recoveredMs)
    return [channels[0]?.result.status, (await findPlatformPosts(text)).length, (await findSubmits(text)).carriedOut]
  })
  expect(await Promise.all(outcomes)).toEqual([
    ['success', 1, 1],
    ['unconfirmed', 0, 0],
  ])
})

test('the figures of a post are its upvotes and comments, and no others', async () => {
  const { id: workspace } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Upvoted' } })
  const { fields } = await openPerson()
  const made = await connect({ fields, instanceUrl }, workspace)
  const text = uniqueText('upvoted')
  const body = { connections: [textAt(made.data, 'slug')], text }
  const { uploadId } = await callData<{ uploadId: string }>('POST /content/text', { workspace, body })
  const read = async () => {
    const route = `GET /analytics/post/${uploadId}`
    return (await callData<{ platforms: { status: string; engagement: object }[] }>(route, { workspace })).platforms[0]
  }
  await expect.poll(read, { timeout: 30_000 }).toMatchObject({ status: 'success' })
  await callSimulator('POST', 'figures', { platform: 'lemmy', text, likes: 7, comments: 3, shares: 2 })
  expect(await callData('POST /analytics/sync', { workspace })).toMatchObject({ enqueued: 1 })
  await expect.poll(read, { timeout: 40_000 }).toMatchObject({ engagement: { likes: 7, comments: 3, shares: 0 } })
}, 90_000)

test('connecting says which mistake was made', async () => {
  const { fields } = await openPerson()
  const refused = { status: 422, code: 'connect_refused' }
  expect(await connect({ fields: { ...fields, accountPassword: 'another one' }, instanceUrl })).toMatchObject(refused)
  expect(await connect({ fields: { ...fields, community: 'unheard_of' }, instanceUrl })).toMatchObject(refused)
  expect(await connect({ fields, instanceUrl: `${testStack.simulatorUrl}/feed` })).toMatchObject(refused)
  const { fields: careful } = await openPerson('totp-')
  expect(await connect({ fields: careful, instanceUrl })).toMatchObject(refused)
  // Only the network that the operator of this stack allows is called.
  expect(await connect({ fields, instanceUrl: 'http://10.0.0.1' })).toMatchObject({ status: 422, code: 'url_refused' })
})

/** Guarantee: what the community does not take fails with a reason that its author can act on. */
test('a community that takes nothing from the account, and one that is unknown, fail with a reason', async () => {
  const { slug } = await openConnection()
  const errorFor = async (options: Record<string, unknown>) => {
    const platformOptions = { [slug]: options }
    const { uploadId } = await carillon.content.createText({ connections: [slug], text: uniqueText('refused'), platformOptions })
    return (await waitUntilFinished(uploadId)).channels[0]?.result.error
  }
  expect(await errorFor({ community: 'staff' })).toMatchObject({ code: 'content_rejected' })
  expect(await errorFor({ community: 'unheard_of' })).toMatchObject({
    code: 'content_rejected',
    message: expect.stringContaining('unheard_of'),
  })
})
