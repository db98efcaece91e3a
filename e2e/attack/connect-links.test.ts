import { createHmac, randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { Browser, newAddress } from '../support/browser.ts'
import { call, callData } from '../support/call.ts'
import { signInAdmin } from '../support/connect-account.ts'
import { sendRequest } from '../support/send-request.ts'
import { createPerson } from '../support/server-env.ts'

type Link = { id: string; url: string; returnSecret: string; state: string; connectionId: string | null }
type Connection = { id: string; handle: string; externalId?: string }
type Workspace = { workspaceId: string; apiKey: string }

const newHandle = () => `v${randomBytes(5).toString('hex')}`

let attacker: Workspace
let honest: Workspace
beforeAll(async () => {
  attacker = await createPerson(newAddress('attacker'))
  honest = await createPerson(newAddress('agency'))
})

const of = ({ workspaceId, apiKey }: Workspace) => ({ key: apiKey, workspace: workspaceId })
const makeLink = (by: Workspace, body: object = { platforms: ['x'] }) =>
  callData<Link>('POST /connect-links', { ...of(by), body })
const listConnections = (by: Workspace) => callData<Connection[]>(`GET /workspaces/${by.workspaceId}/connections`, of(by))

/** Presses the button of the link's page. Returns the consent page of the platform. */
async function start(browser: Browser, { url }: Pick<Link, 'url'>, platform = 'x'): Promise<string> {
  const page = await browser.press(`${url}&platform=${platform}`)
  expect(page.status).toBe(200)
  return /<a href="([^"]+)">Continue to/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
}

/** Agrees on the platform. Returns the address that the platform sends the browser to. */
async function agree(consent: string, handle: string): Promise<string> {
  const { location } = await sendRequest('GET', `${consent}&auto=1&handle=${handle}`, { key: null })
  return location ?? ''
}

async function comeBack(browser: Browser, link: Pick<Link, 'url'>, handle: string): Promise<string> {
  const { location } = await browser.get(await agree(await start(browser, link), handle))
  return location ?? ''
}

test('guarantee: a person without an account connects theirs, and another browser cannot', async () => {
  const origin = 'https://app.example.com'
  await callData(`PATCH /workspaces/${honest.workspaceId}`, { ...of(honest), body: { returnOrigins: [origin] } })
  const link = await makeLink(honest, { platforms: ['x'], externalId: newHandle(), returnUrl: `${origin}/done` })
  const handle = newHandle()
  const owner = new Browser()
  const page = await comeBack(owner, link, handle)
  expect((await owner.get(page)).text).toContain(`@${handle}`)
  // Attack: the link, and the address after the consent, are forwarded.
  const stranger = new Browser()
  await start(stranger, link)
  expect((await stranger.press(page, { answer: 'connect' })).status).toBe(404)
  expect(await listConnections(honest)).toEqual([])
  const done = await owner.press(page, { answer: 'connect' })
  expect(done.status).toBe(200)
  const [connection] = await listConnections(honest)
  expect(connection).toMatchObject({ handle })
  const back = new URL(/href="(https:\/\/app[^"]+)"/.exec(done.text)?.[1]?.replaceAll('&amp;', '&') ?? '')
  const result = back.searchParams.get('carillon_result') ?? ''
  expect(back.searchParams.get('carillon_signature')).toBe(createHmac('sha256', link.returnSecret).update(result).digest('hex'))
  expect(JSON.parse(Buffer.from(result, 'base64url').toString())).toMatchObject({
    state: 'connected',
    connectionId: connection?.id,
  })
  // Attack: the link is used twice.
  expect((await new Browser().get(link.url)).status).toBe(409)
  expect((await stranger.press(`${link.url}&platform=x`)).status).toBe(409)
})

/** Attack: the attacker starts with their own link, and sends the consent page of the platform to the victim, who knows the platform. */
test('guarantee: a consent page that an attacker sends connects nothing', async () => {
  const link = await makeLink(attacker)
  const consent = await start(new Browser(), link)
  const victim = new Browser()
  const returned = await victim.get(await agree(consent, newHandle()))
  expect([returned.status, returned.location]).toEqual([409, null])
  expect(await listConnections(attacker)).toEqual([])
})

/** Attack: login CSRF. The victim has opened an honest link, and is sent to the way back of the attacker's own account. */
test('guarantee: the account of an attacker is not connected by the browser of a victim', async () => {
  const link = await makeLink(honest)
  const victim = new Browser()
  await start(victim, link)
  const way = await agree(await start(new Browser(), link), newHandle())
  expect((await victim.get(way)).status).toBe(409)
  const ofOther = await agree(await start(new Browser(), await makeLink(attacker)), newHandle())
  expect((await victim.get(ofOther)).status).toBe(409)
})

/** Attack: the victim agreed because of the honest link; an admin session or a key of the attacker tries to take the attempt over. */
test('guarantee: neither sessions nor keys confirm what a link started', async () => {
  const owner = new Browser()
  const page = await comeBack(owner, await makeLink(attacker), newHandle())
  const attempt = new URL(page, 'http://here').searchParams.get('attempt') ?? ''
  const admin = await signInAdmin(attacker.workspaceId, attacker.apiKey)
  for (const [name, value] of owner.cookies) admin.cookies.set(name, value)
  expect(await admin.open(`POST /integrations/attempts/${attempt}/confirm`)).toMatchObject({ status: 404 })
  expect(await admin.open(`GET /integrations/attempts/${attempt}`)).toMatchObject({ status: 404 })
  const withKey = { key: attacker.apiKey, workspaceId: attacker.workspaceId, headers: { cookie: owner.cookie } }
  expect(await sendRequest('POST', `/integrations/attempts/${attempt}/confirm`, withKey)).toMatchObject({ status: 401 })
})

/** Attack: a workspace is named like somebody else's. */
test('guarantee: a link that lies about the workspace still names the person who asks', async () => {
  const email = newAddress('liar')
  const liar = await createPerson(email)
  await callData(`PATCH /workspaces/${liar.workspaceId}`, { ...of(liar), body: { name: '<h1>Your Bank</h1>' } })
  const page = await new Browser().get((await makeLink(liar)).url)
  expect(page.text).toContain(email)
  expect(page.text).not.toContain('<h1>Your Bank')
})

test('guarantee: no link of an installation sends people to an origin that nobody allowed', async () => {
  for (const returnUrl of ['https://evil.example/', 'https://app.example.com@evil.example/', 'http://app.example.com/', '/posts'])
    expect(await call('POST /connect-links', { ...of(honest), body: { platforms: ['x'], returnUrl } })).toMatchObject({
      status: 422,
    })
})

test('guarantee: a token that is guessed, empty or very long is no link', async () => {
  for (const token of ['', 'x', 'a'.repeat(43), 'a'.repeat(5000), '%00', '__proto__'])
    expect([404, 422]).toContain((await new Browser().get(`/integrations/link?token=${token}`)).status)
})
