import { randomBytes } from 'node:crypto'
import { openAccount } from '@carillon/stack'
import { describe, expect, test } from 'vitest'
import { sendRequest, textAt, type Reply } from '../support/send-request.ts'
import { startSecondServer } from '../support/second-server.ts'
import { carillon, waitUntilFinished, findPlatformPosts, uniqueText, testStack } from '../test-stack.ts'

const home = `/api/workspaces/${testStack.workspaceId}/connections`
const someone = () => `p${randomBytes(5).toString('hex')}`

type Way = { platform: string; handle: string; body?: object; answer?: string }

/** Goes to the platform's consent page, says yes as `handle`, and gives the address it sends the browser back to. */
async function authorize({ platform, handle, body = {}, answer = 'auto=1' }: Way): Promise<string> {
  const start = await sendRequest('POST', `/integrations/${platform}/start`, { body })
  expect(start).toMatchObject({ status: 200 })
  const consent = await sendRequest('GET', `${textAt(start.data, 'authorizeUrl')}&${answer}&handle=${handle}`, { key: null })
  expect(consent.status).toBe(302)
  return consent.location ?? ''
}

const comeBack = (address: string, headers: Record<string, string> = {}): Promise<Reply> =>
  sendRequest('GET', address, { key: null, headers })

async function connect(way: Way): Promise<{ id: string; slug: string }> {
  const { status, data } = await comeBack(await authorize(way))
  expect(status).toBe(200)
  return { id: textAt(data, 'id'), slug: textAt(data, 'slug') }
}

async function listed(id: string): Promise<object | undefined> {
  const { data } = await sendRequest('GET', home)
  return (data as { id: string }[]).find((connection) => connection.id === id)
}

describe('by the platform’s own page', () => {
  test.each(['mastodon', 'threads', 'x'])('an account of %s is connected and publishes', async (platform) => {
    const handle = someone()
    const { id, slug } = await connect({ platform, handle })
    expect(slug).toMatch(new RegExp(`^${platform}-${handle}`))
    expect(await listed(id)).toMatchObject({ platform, status: 'active' })

    const text = uniqueText('through a new connection')
    const { uploadId } = await carillon.content.createText({ connections: [slug], text })
    expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
    expect(await findPlatformPosts(text)).toMatchObject([{ platform, handle }])
  })

  test('guarantee: the platform’s answer works once, and only for whom it was meant', async () => {
    const address = await authorize({ platform: 'x', handle: someone() })
    expect(await comeBack(address)).toMatchObject({ status: 200 })
    expect(await comeBack(address)).toMatchObject({ status: 409, code: 'connect_expired' })

    const forged = new URL(await authorize({ platform: 'x', handle: someone() }))
    forged.searchParams.set('state', 'made-up')
    expect(await comeBack(forged.href)).toMatchObject({ status: 409, code: 'connect_expired' })
    const elsewhere = (await authorize({ platform: 'x', handle: someone() })).replace('/x/callback', '/threads/callback')
    expect(await comeBack(elsewhere)).toMatchObject({ status: 409, code: 'connect_expired' })
    const stolen = new URL(await authorize({ platform: 'x', handle: someone() }))
    stolen.searchParams.set('code', 'not-the-code')
    expect(await comeBack(stolen.href)).toMatchObject({ status: 422, code: 'connect_refused' })
  })

  test('a person who says no is told so, in the web app or on a page', async () => {
    const refused = { platform: 'mastodon', handle: someone(), answer: 'deny=1' }
    expect(await comeBack(await authorize(refused))).toMatchObject({ status: 422, code: 'connect_refused' })
    const body = { returnTo: '/integrations?tab=all' }
    const address = await authorize({ ...refused, body })
    expect(await comeBack(address)).toMatchObject({
      status: 303,
      location: '/integrations?tab=all&connectError=connect_refused',
    })
    const agreed = await authorize({ platform: 'mastodon', handle: someone(), body })
    expect((await comeBack(agreed)).location).toMatch(/^\/integrations\?tab=all&connected=mastodon-/)
    for (const returnTo of ['//evil.example', 'https://evil.example', '/\\evil.example', '\t//evil.example'])
      expect(await sendRequest('POST', '/integrations/x/start', { body: { returnTo } })).toMatchObject({ status: 422 })
  })

  test('guarantee: an account that is connected again keeps its connection and slug', async () => {
    const handle = someone()
    const first = await connect({ platform: 'x', handle })
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const { uploadId } = await carillon.content.createText({ connections: [first.slug], text: uniqueText('waits'), scheduledAt })
    expect(await connect({ platform: 'x', handle })).toEqual(first)
    const body = { connectionId: first.id }
    expect(await connect({ platform: 'x', handle, body })).toEqual(first)
    expect(await carillon.content.get(uploadId)).toMatchObject({ status: 'scheduled' })

    const other = await authorize({ platform: 'x', handle: someone(), body })
    expect(await comeBack(other)).toMatchObject({ status: 409, code: 'connect_account_differs' })
    await carillon.content.remove(uploadId)
  })

  test('an instance is a public address, and an account of it is named with it', async () => {
    const start = (instanceUrl: string) => sendRequest('POST', '/integrations/mastodon/start', { body: { instanceUrl } })
    expect(await start('https://169.254.169.254')).toMatchObject({ status: 422, code: 'url_refused' })
    expect(await start('https://10.0.0.1/')).toMatchObject({ status: 422, code: 'url_refused' })
    expect(await start('ftp://mastodon.example')).toMatchObject({ status: 422, code: 'request_invalid' })
    const instanceUrl = `${testStack.simulatorUrl}/mastodon/`
    const handle = someone()
    const { slug } = await connect({ platform: 'mastodon', handle, body: { instanceUrl } })
    expect(slug).toBe(`mastodon-${handle}-127.0.0.1-${new URL(testStack.simulatorUrl).port}`)
    expect(await sendRequest('POST', '/integrations/x/start', { body: { instanceUrl } })).toMatchObject({ status: 422 })
  })
})

describe('by an app password', () => {
  const fields = async (handle: string) => {
    const { credentials } = await openAccount(testStack.simulatorUrl, 'bluesky', handle)
    return { identifier: handle, password: textAt(credentials['extra'], 'password') }
  }
  const signIn = (body: object) => sendRequest('POST', '/integrations/bluesky/password', { body })

  test('an account is connected, and again with the same slug', async () => {
    const body = { fields: await fields(someone()) }
    const first = await signIn(body)
    expect(first).toMatchObject({ status: 201, data: { platform: 'bluesky', status: 'active' } })
    expect(JSON.stringify(first)).not.toContain(body.fields.password)
    expect(textAt((await signIn(body)).data, 'id')).toBe(textAt(first.data, 'id'))
  })

  test('what is wrong is said', async () => {
    const right = await fields(someone())
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

test('revoking gives the permission back to the platform and stops what was scheduled', async () => {
  const { id, slug } = await connect({ platform: 'x', handle: someone() })
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
  const { uploadId } = await carillon.content.createText({ connections: [slug], text: uniqueText('never'), scheduledAt })
  expect(await sendRequest('POST', `${home}/${id}/revoke`)).toMatchObject({ status: 200, data: { revoked: true, reason: null } })
  expect(await listed(id)).toBeUndefined()
  expect(await carillon.content.get(uploadId)).toMatchObject({
    status: 'failed',
    channels: [{ result: { status: 'canceled', error: { code: 'connection_removed' } } }],
  })
  expect(await sendRequest('POST', `${home}/${id}/revoke`)).toMatchObject({ status: 404, code: 'connection_not_found' })

  const kept = await connect({ platform: 'threads', handle: someone() })
  expect(await sendRequest('POST', `${home}/${kept.id}/revoke`)).toMatchObject({ status: 200, data: { revoked: false } })
  expect(await listed(kept.id)).toBeUndefined()
})

test('with a vetted app a person connects the pages they manage, and again the same ones', async () => {
  await using server = await startSecondServer({ CARILLON_VETTED_APPS: 'linkedin' })
  const there = server.baseUrl.replace(/\/api$/, '')
  const come = async (handle: string) => {
    const start = await sendRequest('POST', `${there}/integrations/linkedin/start`, { body: {} })
    const consent = await sendRequest('GET', `${textAt(start.data, 'authorizeUrl')}&auto=1&handle=${handle}`, { key: null })
    const { pathname, search } = new URL(consent.location ?? '')
    return comeBack(there + pathname + search)
  }
  const name = someone()
  const first = await come(`manager-${name}`)
  const pages = [`company-${name}`, `company-${name}-shop`].map((page) => expect.objectContaining({ name: page, kind: 'page' }))
  expect(first).toMatchObject({ status: 200, data: { slug: `linkedin-company-${name}`, targets: pages } })
  const text = uniqueText('by a vetted app')
  const { uploadId } = await carillon.content.createText({ connections: [textAt(first.data, 'slug')], text })
  expect(await waitUntilFinished(uploadId)).toMatchObject({ status: 'completed' })
  expect(await findPlatformPosts(text)).toMatchObject([{ handle: `company-${name}` }])
  expect(textAt((await come(`manager-${name}`)).data, 'id')).toBe(textAt(first.data, 'id'))
  expect(await come(someone())).toMatchObject({ status: 422, code: 'connect_refused' })
}, 60_000)

test('a target is chosen among those a connection has, and most have none', async () => {
  const { id } = await connect({ platform: 'x', handle: someone() })
  expect(await sendRequest('PATCH', `${home}/${id}/pages`, { body: { targetId: 'page' } })).toMatchObject({
    status: 422,
    code: 'target_unknown',
  })
})

test('GET /platforms tells how each is connected', async () => {
  const { data } = await sendRequest('GET', '/api/platforms')
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        platform: 'bluesky',
        connect: expect.objectContaining({ method: 'password', available: true, instance: 'optional' }),
        settings: expect.objectContaining({ type: 'object' }),
      }),
      expect.objectContaining({ platform: 'x', text: expect.objectContaining({ max: 280 }) }),
    ]),
  )
})
