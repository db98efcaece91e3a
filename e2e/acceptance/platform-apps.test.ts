import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Browser, newAddress } from '../support/browser.ts'
import { authorizeAccount, confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { startSecondServer, type SecondServer } from '../support/second-server.ts'
import { textAt } from '../support/send-request.ts'
import { callSimulator, carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

/** An operator enters a developer app at one process, and people connect accounts with it at another. The platform knows only this app. */

const operatorEmail = newAddress('operator')
const app = { clientId: `id${randomBytes(6).toString('hex')}`, clientSecret: `secret${randomBytes(12).toString('hex')}` }
const path = '/operator/platforms/linkedin'

let server: SecondServer
let operator: Browser

beforeAll(async () => {
  server = await startSecondServer((origin) => ({ CARILLON_PUBLIC_URL: origin, CARILLON_OPERATORS: operatorEmail }))
  operator = new Browser({ server: server.baseUrl.replace(/\/api$/, '') })
  await operator.signIn(operatorEmail)
  const { connect } = (await carillon.platforms.list()).find(({ platform }) => platform === 'linkedin') ?? {}
  const redirectUris = [connect?.redirectUri]
  await callSimulator('POST', 'settings', { platform: 'linkedin', app: { ...app, redirectUris } })
}, 120_000)
afterAll(async () => {
  await operator.open(`DELETE ${path}/app`)
  await callSimulator('POST', 'settings', { platform: 'linkedin', app: null })
  await server.stop()
})

test('guarantee: the platform itself is asked about an app, and its answer is told as it is', async () => {
  const wrong = await operator.open(`POST ${path}/check`, { body: { ...app, clientSecret: 'of-another-app' } })
  expect(wrong.data).toMatchObject({ app: { outcome: 'refused', said: 'Client authentication failed' } })
  const right = await operator.open(`POST ${path}/check`, { body: app })
  // This server has another public address than the one that is registered.
  expect(right.data).toMatchObject({
    app: { outcome: 'accepted' },
    redirect: { outcome: 'refused', said: 'redirect_uri does not match the registered value' },
  })
  expect(wrong.text + right.text).not.toContain(app.clientSecret)
})

test('guarantee: an app that was entered at one process connects accounts at another, which publish', async () => {
  const admin = await signInAdmin(testStack.workspaceId)
  const handle = `p${randomBytes(5).toString('hex')}`
  const connect = async () => confirmAccount(admin, await authorizeAccount({ platform: 'linkedin', handle }))
  await expect(connect()).rejects.toThrow('the consent page of linkedin answered 400')

  const entered = await operator.open(`PUT ${path}/app`, { body: app })
  expect([entered.status, entered.data]).toMatchObject([200, { app: { clientId: app.clientId, source: 'stored' } }])
  expect(entered.text).not.toContain(app.clientSecret)
  expect((await operator.open(`POST ${path}/check`, { body: {} })).data).toMatchObject({ app: { outcome: 'accepted' } })

  const connected = await connect()
  expect(connected.status).toBe(200)
  const text = uniqueText('with the app of the operator')
  const { uploadId } = await carillon.content.createText({ connections: [textAt(connected.data, 'slug')], text })
  expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
  expect(await findPlatformPosts(text)).toMatchObject([{ platform: 'linkedin', handle }])
})

test('guarantee: a member of a workspace who is no operator is refused', async () => {
  const admin = await signInAdmin(testStack.workspaceId)
  for (const route of ['GET /operator/platforms', `PUT ${path}/app`, `DELETE ${path}/app`, `POST ${path}/check`]) {
    const body = route.startsWith('GET') ? {} : { body: app }
    expect(await admin.open(route, body)).toMatchObject({ status: 403, code: 'role_forbidden' })
  }
})
