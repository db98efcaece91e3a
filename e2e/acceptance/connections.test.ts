import { randomBytes } from 'node:crypto'
import { openAccount } from '@carillon/stack'
import { beforeAll, describe, expect, test } from 'vitest'
import { Browser, type Page } from '../support/browser.ts'
import { attemptIn, authorizeAccount, confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { sendRequest, textAt } from '../support/send-request.ts'
import { startSecondServer } from '../support/second-server.ts'
import { carillon, findPlatformPosts, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

const home = `/api/workspaces/${testStack.workspaceId}/connections`
const newHandle = () => `p${randomBytes(5).toString('hex')}`

type Way = { platform: string; handle: string; body?: object; answer?: string }

let browser: Browser
beforeAll(async () => {
  browser = await signInAdmin(testStack.workspaceId)
})

const authorize = (way: Way) => authorizeAccount(way)
const openCallback = (address: string): Promise<Page> => browser.open(`GET ${address}`)

async function connect(way: Way): Promise<{ id: string; slug: string }> {
  const { status, data } = await confirmAccount(browser, await authorize(way))
  expect(status).toBe(200)
  return { id: textAt(data, 'id'), slug: textAt(data, 'slug') }
}

async function listed(id: string): Promise<object | undefined> {
  const { data } = await sendRequest('GET', home)
  return (data as { id: string }[]).find((connection) => connection.id === id)
}

describe('with the platform’s consent page', () => {
  test.each(['mastodon', 'threads', 'x'])('an account of %s is connected and publishes', async (platform) => {
    const handle = newHandle()
    const { id, slug } = await connect({ platform, handle })
    expect(slug).toMatch(new RegExp(`^${platform}-${handle}`))
    expect(await listed(id)).toMatchObject({ platform, status: 'active' })

    const text = uniqueText('through a new connection')
    const { uploadId } = await carillon.content.createText({ connections: [slug], text })
    expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
    expect(await findPlatformPosts(text)).toMatchObject([{ platform, handle }])
  })

  test('guarantee: the platform’s redirect works once, and only for the flow that it belongs to', async () => {
    const address = await authorize({ platform: 'x', handle: newHandle() })
    expect(await openCallback(address)).toMatchObject({ status: 303 })
    expect(await openCallback(address)).toMatchObject({ status: 409, code: 'connect_expired' })

    const forged = new URL(await authorize({ platform: 'x', handle: newHandle() }))
    forged.searchParams.set('state', 'made-up')
    expect(await openCallback(forged.href)).toMatchObject({ status: 409, code: 'connect_expired' })
    const elsewhere = (await authorize({ platform: 'x', handle: newHandle() })).replace('/x/callback', '/threads/callback')
    expect(await openCallback(elsewhere)).toMatchObject({ status: 409, code: 'connect_expired' })
    const stolen = new URL(await authorize({ platform: 'x', handle: newHandle() }))
    stolen.searchParams.set('code', 'not-the-code')
    expect(await openCallback(stolen.href)).toMatchObject({ status: 422, code: 'connect_refused' })
  })

  test('a person who declines sees that, in the web app or on a page', async () => {
    const refused = { platform: 'mastodon', handle: newHandle(), answer: 'deny=1' }
    expect(await openCallback(await authorize(refused))).toMatchObject({ status: 422, code: 'connect_refused' })
    const body = { returnTo: '/integrations?tab=all' }
    const failed = await openCallback(await authorize({ ...refused, body }))
    const attempt = attemptIn(failed)
    expect([failed.status, failed.location]).toEqual([
      303,
      `/integrations?tab=all&connectError=connect_refused&attempt=${attempt}`,
    ])
    expect((await browser.open(`GET /integrations/attempts/${attempt}`)).data).toMatchObject({
      state: 'failed',
      code: 'connect_refused',
      message: 'The user denied access.',
      platformCode: 'access_denied',
    })
    const agreed = await openCallback(await authorize({ platform: 'mastodon', handle: newHandle(), body }))
    expect(agreed.location).toBe(`/integrations?tab=all&attempt=${attemptIn(agreed)}`)
    const pressed = await browser.press(`/integrations/confirm?attempt=${attemptIn(agreed)}`)
    expect(pressed.location).toMatch(/^\/integrations\?tab=all&connected=mastodon-/)
    for (const returnTo of ['//evil.example', 'https://evil.example', '/\\evil.example', '\t//evil.example', '/.//evil.example'])
      expect(await sendRequest('POST', '/integrations/x/start', { body: { returnTo } })).toMatchObject({ status: 422 })
  })

  test('guarantee: an account that is connected again keeps its connection and slug', async () => {
    const handle = newHandle()
    const first = await connect({ platform: 'x', handle })
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const { uploadId } = await carillon.content.createText({ connections: [first.slug], text: uniqueText('waits'), scheduledAt })
    expect(await connect({ platform: 'x', handle })).toEqual(first)
    const body = { connectionId: first.id }
    expect(await connect({ platform: 'x', handle, body })).toEqual(first)
    expect(await carillon.content.get(uploadId)).toMatchObject({ status: 'scheduled' })

    const other = await authorize({ platform: 'x', handle: newHandle(), body })
    expect(await openCallback(other)).toMatchObject({ status: 409, code: 'connect_account_differs' })
    await carillon.content.remove(uploadId)
  })

  test('an instance must have a public address, and the slug of its accounts contains its name', async () => {
    const start = (instanceUrl: string) => sendRequest('POST', '/integrations/mastodon/start', { body: { instanceUrl } })
    expect(await start('https://169.254.169.254')).toMatchObject({ status: 422, code: 'url_refused' })
    expect(await start('https://10.0.0.1/')).toMatchObject({ status: 422, code: 'url_refused' })
    expect(await start('ftp://mastodon.example')).toMatchObject({ status: 422, code: 'request_invalid' })
    const instanceUrl = `${testStack.simulatorUrl}/mastodon/`
    const handle = newHandle()
    const { slug } = await connect({ platform: 'mastodon', handle, body: { instanceUrl } })
    expect(slug).toBe(`mastodon-${handle}-127.0.0.1-${new URL(testStack.simulatorUrl).port}`)
    expect(await sendRequest('POST', '/integrations/x/start', { body: { instanceUrl } })).toMatchObject({ status: 422 })
  })
})

describe('with an app password', () => {
  const fields = async (handle: string) => {
    const { credentials } = await openAccount(testStack.simulatorUrl, 'bluesky', handle)
    return { identifier: handle, password: textAt(credentials['extra'], 'password') }
  }
  const signIn = (body: object) => sendRequest('POST', '/integrations/bluesky/password', { body })

  test('an account is connected, and again with the same slug', async () => {
    const body = { fields: await fields(newHandle()) }
    const first = await signIn(body)
    expect(first).toMatchObject({ status: 201, data: { platform: 'bluesky', status: 'active' } })
    expect(JSON.stringify(first)).not.toContain(body.fields.password)
    expect(textAt((await signIn(body)).data, 'id')).toBe(textAt(first.data, 'id'))
  })

  test('each mistake has its own error', async () => {
    const right = await fields(newHandle())
    expect(await signIn({ fields: { ...right, password: 'wrong' } })).toMatchObject({ status: 422, code: 'connect_refused' })
    expect(await signIn({ fields: { identifier: 'a' } })).toMatchObject({ status: 422, code: 'request_invalid' })
    expect(await signIn({ fields: { ...right, more: 'x' } })).toMatchObject({ status: 422, code: 'request_invalid' })
    expect(await signIn({ fields: right, instanceUrl: 'https://192.168.0.1' })).toMatchObject({
      status: 422,
      code: 'url_refused',
    })
    expect(await sendRequest('POST', '/integrations/bluesky/start', { body: {} })).toMatchObject({ status: 422 })
    expect(await sendRequest('POST', '/integrations/myspace/start', { body: {} })).toMatchObject({
      status: 404,
      code: 'platform_not_found',
    })
  })
})

test('guarantee: only an admin of the workspace connects accounts', async () => {
  const start = (request: object) => sendRequest('POST', '/integrations/x/start', { body: {}, ...request })
  expect(await start({ key: null })).toMatchObject({ status: 401 })
  expect(await start({ key: testStack.otherApiKey })).toMatchObject({ status: 404 })
  const keys = `/api/workspaces/${testStack.workspaceId}/api-keys`
  const narrow = await sendRequest('POST', keys, { body: { label: 'narrow', scopes: ['content:*'] } })
  expect(await start({ key: textAt(narrow.data, 'key') })).toMatchObject({ status: 403, code: 'scope_missing' })
})

test('revoking withdraws the permission on the platform and cancels scheduled channels', async () => {
  const { id, slug } = await connect({ platform: 'x', handle: newHandle() })
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  const { uploadId } = await carillon.content.createText({ connections: [slug], text: uniqueText('never'), scheduledAt })
  expect(await sendRequest('POST', `${home}/${id}/revoke`)).toMatchObject({ status: 200, data: { revoked: true, reason: null } })
  expect(await listed(id)).toBeUndefined()
  expect(await carillon.content.get(uploadId)).toMatchObject({
    status: 'failed',
    channels: [{ result: { status: 'canceled', error: { code: 'connection_removed' } } }],
  })
  expect(await sendRequest('POST', `${home}/${id}/revoke`)).toMatchObject({ status: 404, code: 'connection_not_found' })

  const kept = await connect({ platform: 'threads', handle: newHandle() })
  expect(await sendRequest('POST', `${home}/${kept.id}/revoke`)).toMatchObject({ status: 200, data: { revoked: false } })
  expect(await listed(kept.id)).toBeUndefined()
})

test('with a vetted app a person connects the pages that they manage, and connecting again gives the same connection', async () => {
  await using server = await startSecondServer({ CARILLON_VETTED_APPS: 'linkedin' })
  const there = server.baseUrl.replace(/\/api$/, '')
  const second = new Browser({ server: there, origin: testStack.baseUrl.replace(/\/api$/, '') })
  for (const [name, value] of browser.cookies) second.cookies.set(name, value)
  const connectPages = async (handle: string) => {
    const start = await sendRequest('POST', `${there}/integrations/linkedin/start`, { body: {} })
    const consent = await sendRequest('GET', `${textAt(start.data, 'authorizeUrl')}&auto=1&handle=${handle}`, { key: null })
    return confirmAccount(second, consent.location ?? '')
  }
  const name = newHandle()
  const first = await connectPages(`manager-${name}`)
  const pages = [`company-${name}`, `company-${name}-shop`].map((page) => expect.objectContaining({ name: page, kind: 'page' }))
  expect(first).toMatchObject({ status: 200, data: { slug: `linkedin-company-${name}`, targets: pages } })
  const text = uniqueText('by a vetted app')
  const { uploadId } = await carillon.content.createText({ connections: [textAt(first.data, 'slug')], text })
  expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
  expect(await findPlatformPosts(text)).toMatchObject([{ handle: `company-${name}` }])
  expect(textAt((await connectPages(`manager-${name}`)).data, 'id')).toBe(textAt(first.data, 'id'))
  expect(await connectPages(newHandle())).toMatchObject({ status: 422, code: 'connect_refused' })
}, 60_000)

test('a target must be one of the connection’s targets, and most connections have none', async () => {
  const { id } = await connect({ platform: 'x', handle: newHandle() })
  expect(await sendRequest('PATCH', `${home}/${id}/pages`, { body: { targetId: 'page' } })).toMatchObject({
    status: 422,
    code: 'target_unknown',
  })
})

test('GET /platforms says how each platform is connected', async () => {
  const { data } = await sendRequest('GET', '/api/platforms')
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        platform: 'bluesky',
        connect: expect.objectContaining({ method: 'password', available: true, instance: 'optional', redirectUri: null }),
        settings: expect.objectContaining({ type: 'object' }),
      }),
      expect.objectContaining({
        platform: 'linkedin',
        connect: expect.objectContaining({
          redirectUri: expect.stringMatching(/\/integrations\/linkedin\/callback$/),
          scopes: ['openid', 'profile', 'w_member_social'],
          setting: 'CARILLON_APP_LINKEDIN',
          portalUrl: 'https://www.linkedin.com/developers/apps',
          simulated: true,
          feedUrl: `${testStack.simulatorUrl}/feed/linkedin`,
        }),
      }),
      expect.objectContaining({ platform: 'x', text: expect.objectContaining({ max: 280 }) }),
    ]),
  )
})
