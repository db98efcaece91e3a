import { createHmac } from 'node:crypto'
import type { ApiKey, ConnectLink, Connection } from '@carillon/sdk'
import { expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { Browser } from '../../support/browser.ts'
import { call, callData } from '../../support/call.ts'
import { sendRequest } from '../../support/send-request.ts'
import { carillon, testStack, uniqueText } from '../../test-stack.ts'

const workspace = `/workspaces/${testStack.workspaceId}`
const origin = 'https://customers.example.com'
const newName = () => uniqueText('link').replaceAll(/\W/g, '-')
const unescape = (text: string) => text.replaceAll('&amp;', '&')

async function allowOrigin(): Promise<void> {
  await callData(`PATCH ${workspace}`, { body: { returnOrigins: [origin] } })
}

row('D 23 link', async () => {
  const made = await carillon.connectLinks.create({ platforms: ['x', 'mastodon'], expiresInDays: 2, metadata: { plan: 'gold' } })
  expect(made).toMatchObject({
    platforms: ['x', 'mastodon'],
    state: 'open',
    isReconnect: false,
    connectionId: null,
    usedAt: null,
  })
  expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBe(2 * 86_400_000)
  expect((await fetch(made.url ?? '', { headers: { accept: 'text/html' } })).status).toBe(200)
  const listed = (await carillon.connectLinks.list({ limit: 5 })).find(({ id }) => id === made.id)
  expect(listed).toMatchObject({ state: 'open', metadata: { plan: 'gold' } })
  expect(listed).not.toHaveProperty('url')
  await carillon.connectLinks.revoke(made.id)
  expect((await fetch(made.url ?? '', { headers: { accept: 'text/html' } })).status).toBe(409)
  expect((await carillon.connectLinks.list({ limit: 5 })).find(({ id }) => id === made.id)?.state).toBe('revoked')
  for (const body of [{}, { platforms: [] }, { platforms: ['nowhere'] }, { platforms: ['x'], expiresInDays: 31 }])
    expect((await call('POST /connect-links', { body })).status).toBe(422)
})

async function connectWithLink(): Promise<{ link: ConnectLink; name: string; back: URL }> {
  await allowOrigin()
  const name = newName()
  const link = await carillon.connectLinks.create({ platforms: ['x'], externalId: name, returnUrl: `${origin}/done` })
  const owner = new Browser()
  const going = await owner.press(link.url ?? '')
  const consent = unescape(/<a href="([^"]+)">Continue to/.exec(going.text)?.[1] ?? '')
  const agreed = await sendRequest('GET', `${consent}&auto=1&handle=${name}`, { key: null })
  const page = await owner.get(agreed.location ?? '')
  const done = await owner.press(page.location ?? '', { answer: 'connect' })
  return { link, name, back: new URL(unescape(/<p><a href="([^"]+)">Back to/.exec(done.text)?.[1] ?? '')) }
}

row('D 23 person', async () => {
  const { link, name, back } = await connectWithLink()
  const [connection] = await callData<Connection[]>(`GET ${workspace}/connections?externalId=${name}`)
  expect(connection).toMatchObject({ handle: name, status: 'active' })
  const result = back.searchParams.get('carillon_result') ?? ''
  const signature = createHmac('sha256', link.returnSecret ?? '')
    .update(result)
    .digest('hex')
  expect([back.origin, back.searchParams.get('carillon_signature')]).toEqual([origin, signature])
  const said: unknown = JSON.parse(Buffer.from(result, 'base64url').toString())
  expect(said).toMatchObject({ linkId: link.id, state: 'connected', connectionId: connection?.id, externalId: name })
  expect((await new Browser().press(link.url ?? '')).status).toBe(409)
})

row('D 23 event', async () => {
  const { name } = await connectWithLink()
  await expect
    .poll(
      async () => {
        const { data } = await carillon.events.list({ type: 'connection.connected', limit: 100 })
        return data.some((event) => JSON.stringify(event.data).includes(`"externalId":"${name}"`))
      },
      { timeout: 30_000 },
    )
    .toBe(true)
})

row('D 23 rights', async () => {
  const makeKey = async (scopes: string[]) =>
    (await callData<ApiKey>(`POST ${workspace}/api-keys`, { body: { label: 'Links', scopes } })).key ?? ''
  const body = { platforms: ['x'] }
  expect((await call('POST /connect-links', { key: await makeKey(['workspaces:*', 'content:*']), body })).error.code).toBe(
    'scope_missing',
  )
  const key = await makeKey(['connections:invite'])
  expect((await call('POST /connect-links', { key, body })).status).toBe(201)
  expect((await call(`PATCH ${workspace}`, { key, body: { returnOrigins: [] } })).error.code).toBe('scope_missing')
  const { id } = await carillon.connectLinks.create({ platforms: ['x'] })
  const other = { key: testStack.otherApiKey, workspace: testStack.otherWorkspaceId }
  expect((await call(`DELETE /connect-links/${id}`, other)).error.code).toBe('connect_link_not_found')
  const foreign = await callData<ConnectLink[]>('GET /connect-links', other)
  expect(foreign.some((each) => each.id === id)).toBe(false)
})

row('D 23 return', async () => {
  await allowOrigin()
  for (const returnUrl of ['https://evil.example/', 'http://customers.example.com/', `${origin}/#x`])
    expect((await call('POST /connect-links', { body: { platforms: ['x'], returnUrl } })).error.code).toBe('return_url_refused')
  for (const each of ['https://a.example/path', 'http://a.example', 'a.example'])
    expect((await call(`PATCH ${workspace}`, { body: { returnOrigins: [each] } })).error.code).toBe('return_url_refused')
  await callData(`PATCH ${workspace}`, { body: { returnOrigins: [] } })
  expect(await callData(`GET ${workspace}`)).not.toHaveProperty('returnOrigins')
})
