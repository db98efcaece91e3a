import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { Browser, newAddress } from '../support/browser.ts'
import { callData } from '../support/call.ts'
import { attemptIn, authorizeAccount, confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { findLink, waitForMail } from '../support/mailbox.ts'
import { sendRequest } from '../support/send-request.ts'
import { createPerson } from '../support/server-env.ts'
import { testStack } from '../test-stack.ts'

const newHandle = () => `v${randomBytes(5).toString('hex')}`

const email = newAddress('attacker')
let attacker: { workspaceId: string; apiKey: string }
beforeAll(async () => {
  attacker = await createPerson(email)
})

const startAttack = (platform = 'x', body: object = {}) =>
  authorizeAccount({ platform, handle: newHandle(), body, key: attacker.apiKey, workspaceId: attacker.workspaceId })

const listConnections = () => callData<unknown[]>(`GET /workspaces/${attacker.workspaceId}/connections`, { key: attacker.apiKey })

/** Attack: the attacker starts with a key, and the victim opens the link and agrees on the platform. */
test('guarantee: a link that a victim opens connects nothing to the workspace of the attacker', async () => {
  const victim = new Browser()
  const returned = await victim.get(await startAttack())
  const attempt = attemptIn(returned)
  expect([returned.status, returned.location]).toEqual([303, `/integrations/confirm?attempt=${attempt}`])
  // The victim is asked to sign in. After that, they are not an admin of the workspace.
  expect((await victim.get(returned.location ?? '')).location).toMatch(/^\/auth\/sign-in\?returnTo=/)
  await victim.signIn()
  const page = await victim.get(returned.location ?? '')
  expect([page.status, page.text.includes('<form')]).toEqual([404, false])
  expect(await victim.press(`/integrations/confirm?attempt=${attempt}`)).toMatchObject({ status: 404 })
  expect(await listConnections()).toEqual([])
})

/** Attack: the attacker knows the id of the attempt, and confirms it in a browser of their own. */
test('guarantee: only the browser that came back from the platform can confirm', async () => {
  const victim = new Browser()
  const attempt = attemptIn(await victim.get(await startAttack()))
  const own = new Browser()
  const password = 'seven bells at dusk'
  await own.post('/auth/request-password-reset', { email })
  await own.press(findLink(await waitForMail(email, 'Set your password')), { password })
  expect((await own.post('/auth/sign-in/email', { email, password })).status).toBe(200)
  const confirm = `POST /integrations/attempts/${attempt}/confirm`
  expect(await own.open(confirm)).toMatchObject({ status: 404, code: 'attempt_not_found' })
  expect(await own.open(`GET /integrations/attempts/${attempt}`)).toMatchObject({ status: 404 })
  const withKey = await sendRequest('POST', `/integrations/attempts/${attempt}/confirm`, {
    key: attacker.apiKey,
    workspaceId: attacker.workspaceId,
    headers: { cookie: victim.cookie, origin: testStack.baseUrl.replace(/\/api$/, '') },
  })
  expect(withKey).toMatchObject({ status: 401 })
  expect(await listConnections()).toEqual([])
})

test('guarantee: another site cannot confirm in the browser of an admin', async () => {
  const admin = await signInAdmin(testStack.workspaceId)
  const attempt = attemptIn(await admin.get(await authorizeAccount({ platform: 'x', handle: newHandle() })))
  for (const origin of ['https://evil.example', 'null', null])
    expect(await admin.open(`POST /integrations/attempts/${attempt}/confirm`, { origin })).toMatchObject({ status: 403 })
})

/** Attack: a hostile server sends the browser on to an honest one, and receives its code (mix-up). */
test('guarantee: an answer that names another server is refused', async () => {
  const admin = await signInAdmin(testStack.workspaceId)
  const address = new URL(await authorizeAccount({ platform: 'mastodon', handle: newHandle() }))
  address.searchParams.set('iss', 'https://honest.example')
  expect(await admin.open(`GET ${address.href}`)).toMatchObject({ status: 422, code: 'connect_refused' })
  const own = new URL(await authorizeAccount({ platform: 'mastodon', handle: newHandle() }))
  own.searchParams.set('iss', `${testStack.simulatorUrl}/mastodon/`)
  expect(await confirmAccount(admin, own.href)).toMatchObject({ status: 200 })
})

/** Attack: `returnTo` is normalised to the address of another host. */
test('guarantee: the way back leads to no other host', async () => {
  for (const returnTo of ['/.//evil.example', '/x/..//evil.example', '/%2e//evil.example'])
    expect(await sendRequest('POST', '/integrations/x/start', { body: { returnTo } })).toMatchObject({ status: 422 })
})

test('guarantee: no code breaks the page of a failed sign-in', async () => {
  for (const code of ['constructor', '__proto__', 'hasOwnProperty'])
    expect((await new Browser().get(`/auth/error?error=${code}`)).status).toBe(400)
})
