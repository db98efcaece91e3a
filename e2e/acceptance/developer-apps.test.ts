import { randomBytes } from 'node:crypto'
import type { Connection, DeveloperApp } from '@carillon/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { call, callData } from '../support/call.ts'
import { confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

/** Guarantee: accounts of a workspace that brought an app of its own are connected with it, and those of other workspaces are not. */

const newHandle = () => `own${randomBytes(5).toString('hex')}`
let browser: Browser
beforeAll(async () => {
  browser = await signInAdmin(testStack.workspaceId)
})
afterAll(() => carillon.developerApps.remove('x'))

async function start(key?: string): Promise<URL> {
  const { data } = await sendRequest('POST', '/integrations/x/start', { body: {}, ...(key !== undefined && { key }) })
  return new URL(textAt(data, 'authorizeUrl'))
}
const appOf = (url: URL) => url.searchParams.get('client_id')

test('an account is connected with the app of the workspace, publishes and is revoked with it', async () => {
  const before = appOf(await start())
  await carillon.developerApps.save({ platform: 'x', clientId: 'bells-of-ada', clientSecret: 'a-secret' })
  const consent = await start()
  expect(appOf(consent)).toBe('bells-of-ada')
  const handle = newHandle()
  const agreed = await sendRequest('GET', `${consent.href}&auto=1&handle=${handle}`, { key: null })
  const { data } = await confirmAccount(browser, agreed.location ?? '')
  const [app] = (await carillon.developerApps.list()).filter(({ platform }) => platform === 'x')
  expect(app).toMatchObject({ clientId: 'bells-of-ada', accounts: 1 })

  const text = uniqueText('with an app of our own')
  const { uploadId } = await carillon.content.createText({ connections: [textAt(data, 'slug')], text })
  expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
  expect(await findPlatformPosts(text)).toMatchObject([{ handle }])

  await carillon.developerApps.remove('x')
  expect(appOf(await start())).toBe(before)
  const path = `/workspaces/${testStack.workspaceId}/connections/${textAt(data, 'id')}`
  expect(await callData<Connection>(`POST ${path}/revoke`)).toMatchObject({ revoked: false })
}, 60_000)

test('another workspace does not see it, and an editor or a narrow key changes nothing', async () => {
  await carillon.developerApps.save({ platform: 'x', clientId: 'bells-of-ada', clientSecret: 'a-secret' })
  const theirs = await callData<DeveloperApp[]>('GET /developer-apps', {
    key: testStack.otherApiKey,
    workspace: testStack.otherWorkspaceId,
  })
  expect(theirs).toMatchObject([{ clientId: null, accounts: 0 }])
  const keys = `/workspaces/${testStack.workspaceId}/api-keys`
  const { key } = await callData<{ key: string }>(`POST ${keys}`, { body: { label: 'posts', scopes: ['content:*'] } })
  const body = { platform: 'x', clientId: 'other', clientSecret: 'b' }
  expect((await call('POST /developer-apps', { key, body })).error.code).toBe('scope_missing')
  expect((await carillon.developerApps.list())[0]?.clientId).toBe('bells-of-ada')
})
