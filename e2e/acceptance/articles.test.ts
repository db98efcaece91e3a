import { randomBytes } from 'node:crypto'
import { openAccount } from '@carillon/stack'
import { expect, test } from 'vitest'
import { callData } from '../support/call.ts'
import { findSubmits } from '../support/find-submits.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

/** A Forem of one's own. Without an address the connection is to dev.to, which is the same simulated site here. */
const instanceUrl = `${testStack.simulatorUrl}/devto`

const connect = (body: object, workspaceId = testStack.workspaceId) =>
  sendRequest('POST', '/integrations/devto/password', { body, workspaceId })

async function openKey() {
  const handle = `d${randomBytes(5).toString('hex')}`
  const { credentials } = await openAccount(testStack.simulatorUrl, 'devto', handle)
  return { handle, fields: { apiKey: textAt(credentials, 'accessToken') } }
}

async function openConnection() {
  const { handle, fields } = await openKey()
  const made = await connect({ fields })
  return { handle, fields, made, slug: textAt(made.data, 'slug') }
}

/** Guarantee: an article has its title, tags and canonical address, and deleting it takes it from the site. */
test('an account is connected with a key, which is not shown, and publishes an article', async () => {
  const { handle, fields, made, slug } = await openConnection()
  expect(made).toMatchObject({ data: { platform: 'devto', handle } })
  expect(JSON.stringify(made)).not.toContain(fields.apiKey)
  const text = uniqueText('# How bells are cast\n\nIn bronze.')
  const canonicalUrl = `https://a.example/${randomBytes(4).toString('hex')}`
  const created = await carillon.content.createText({
    connections: [slug],
    text,
    title: 'On bells',
    platformOptions: { [slug]: { tags: ['bells', 'bronze'], canonicalUrl } },
  })
  const post = await waitUntilFinished(created.uploadId)
  expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', warnings: [] } }] })
  const page = await fetch(post.channels[0]?.result.postUrl ?? '')
  expect(await page.text()).toContain('On bells')
  const [seen] = await findPlatformPosts(text)
  expect(seen).toMatchObject({ handle })
  expect(Object.values(seen?.options ?? {})).toEqual(expect.arrayContaining(['bells, bronze', canonicalUrl]))
  const removed = await carillon.content.remove(created.uploadId, { unpublish: 'true' })
  expect(removed?.channels.map(({ outcome }) => outcome)).toEqual(['removed'])
  expect(await findPlatformPosts(text)).toMatchObject([{ deleted: true }])
})

test('an article is made as a draft on a site of its own if its author says so, and has no address yet', async () => {
  const { handle, fields } = await openKey()
  const made = await connect({ fields, instanceUrl })
  expect(made).toMatchObject({ data: { instanceUrl } })
  const slug = textAt(made.data, 'slug')
  const text = uniqueText('unfinished')
  const platformOptions = { [slug]: { draft: true } }
  const { uploadId } = await carillon.content.createText({ connections: [slug], text, platformOptions })
  const post = await waitUntilFinished(uploadId)
  expect(post).toMatchObject({ status: 'completed', channels: [{ result: { status: 'success', postUrl: null } }] })
  const [seen] = await findPlatformPosts(text)
  expect(seen).toMatchObject({ handle })
  expect(await (await fetch(seen?.url ?? '')).text()).toContain('draft')
})

/** For a minute another process may still be sending it, so only then the site is asked. */
const recoveredMs = 150_000

/**
 * Guarantee: DEV refuses the same title for five minutes only, so nothing is sent again. An article whose answer was lost is found; one that is
 * not there, and a draft, which has no time, are left in doubt.
 */
test('the answer to an article is lost, and there is at most one', { timeout: 180_000 }, async () => {
  const cases = [
    { kind: 'drop_after', draft: false, outcome: ['success', 1, 1] },
    { kind: 'drop_after', draft: true, outcome: ['unconfirmed', 1, 1] },
    { kind: 'drop_before', draft: false, outcome: ['unconfirmed', 0, 0] },
  ]
  const outcomes = cases.map(async ({ kind, draft }) => {
    const { handle, slug } = await openConnection()
    await callSimulator('POST', 'faults', { platform: 'devto', handle, operation: 'submit', times: 1, fault: { kind } })
    const text = uniqueText(`lost, ${kind}`)
    const platformOptions = { [slug]: { draft } }
    const { uploadId } = await carillon.content.createText({ connections: [slug], text, platformOptions })
    const { channels } = await waitUntilFinished(uploadId, recoveredMs)
    return [channels[0]?.result.status, (await findPlatformPosts(text)).length, (await findSubmits(text)).carriedOut]
  })
  expect(await Promise.all(outcomes)).toEqual(cases.map(({ outcome }) => outcome))
})

test('the figures of an article are its reactions, comments and views, and no others', async () => {
  const { id: workspace } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Read' } })
  const { fields } = await openKey()
  const made = await connect({ fields }, workspace)
  const text = uniqueText('read')
  const body = { connections: [textAt(made.data, 'slug')], text }
  const { uploadId } = await callData<{ uploadId: string }>('POST /content/text', { workspace, body })
  const read = async () => {
    const route = `GET /analytics/post/${uploadId}`
    return (await callData<{ platforms: { status: string; engagement: object }[] }>(route, { workspace })).platforms[0]
  }
  await expect.poll(read, { timeout: 30_000 }).toMatchObject({ status: 'success' })
  await callSimulator('POST', 'figures', { platform: 'devto', text, likes: 7, comments: 3, impressions: 900, shares: 2 })
  expect(await callData('POST /analytics/sync', { workspace })).toMatchObject({ enqueued: 1 })
  const engagement = { likes: 7, comments: 3, impressions: 900, shares: 0 }
  await expect.poll(read, { timeout: 40_000 }).toMatchObject({ engagement })
}, 90_000)

test('connecting says which mistake was made', async () => {
  const { fields } = await openKey()
  const refused = { status: 422, code: 'connect_refused' }
  expect(await connect({ fields: { apiKey: 'a'.repeat(24) } })).toMatchObject(refused)
  expect(await connect({ fields: { apiKey: 'not a key' } })).toMatchObject(refused)
  expect(await connect({ fields, instanceUrl: `${testStack.simulatorUrl}/feed` })).toMatchObject(refused)
  // Only the network that the operator of this stack allows is called.
  expect(await connect({ fields, instanceUrl: 'http://10.0.0.1' })).toMatchObject({ status: 422, code: 'url_refused' })
})

/** Guarantee: a post waits for a person whose key was taken back, and goes out once they have entered another one. */
test('a post waits while its key is taken back', async () => {
  const { handle, made, slug } = await openConnection()
  await callSimulator('POST', 'tokens/revoke', { platform: 'devto', handle })
  const text = uniqueText('without a key')
  const { uploadId } = await carillon.content.createText({ connections: [slug], text })
  const result = async () => (await carillon.content.get(uploadId)).channels[0]?.result
  await expect.poll(result, { timeout: 30_000 }).toMatchObject({ status: 'pending', error: { code: 'reconnect_needed' } })
  const { credentials } = await openAccount(testStack.simulatorUrl, 'devto', handle)
  const fields = { apiKey: textAt(credentials, 'accessToken') }
  expect(await connect({ fields, connectionId: textAt(made.data, 'id') })).toMatchObject({ status: 201 })
  expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
  expect(await findPlatformPosts(text)).toHaveLength(1)
}, 120_000)
