import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App, Connector } from '../src/index.ts'
import { authorizeUrl, connectors, createHttp, keepReply } from '../src/index.ts'
import { simulate } from './simulate.ts'
import { transport } from './transport.ts'

const redirectUrl = 'https://carillon.example/integrations/any/callback'
const untold = { outcome: 'unknown', said: null }
const right: App = { clientId: 'the-right-id', clientSecret: 'the-right-secret' }

function check({ auth, checkApp, origin: ownOrigin }: Connector, origin: string, { app = right, redirect = redirectUrl } = {}) {
  if (auth.kind !== 'oauth2' || !checkApp) throw new Error('this platform cannot be asked')
  expect(ownOrigin).not.toBeNull()
  const http = createHttp({ transport, origin, credentials: null, classify: keepReply, nowMs: Date.now, timeoutMs: 5000 })
  const page = authorizeUrl({ auth, origin, app, redirectUrl: redirect, state: 's', codeChallenge: auth.pkce ? 'c' : null })
  return checkApp(http, { app, redirectUrl: redirect, authorizeUrl: page })
}

/** What is documented, or was seen by others, about each platform. Instagram never says that an app is right. */
const expected = [
  { platform: 'x', accepted: 'accepted', wrongId: 'Missing valid authorization header', redirect: 'unknown' },
  { platform: 'linkedin', accepted: 'accepted', wrongId: 'Client authentication failed', redirect: 'refused' },
  { platform: 'tiktok', accepted: 'accepted', wrongId: 'Client key or secret is incorrect.', redirect: 'unknown' },
  {
    platform: 'threads',
    accepted: 'accepted',
    wrongId: expect.stringContaining('Error validating application'),
    redirect: 'unknown',
  },
  { platform: 'tumblr', accepted: 'accepted', wrongId: 'The client credentials are invalid', redirect: 'unknown' },
  { platform: 'reddit', accepted: 'accepted', wrongId: 'Unauthorized', redirect: 'unknown' },
  { platform: 'pinterest', accepted: 'accepted', wrongId: 'Authentication failed.', redirect: 'unknown' },
  { platform: 'googlebusiness', accepted: 'accepted', wrongId: 'The OAuth client was not found.', redirect: 'refused' },
  { platform: 'instagram', accepted: 'unknown', wrongId: 'Invalid platform app', redirect: 'unknown' },
] as const

describe.each(expected)('$platform is asked about a developer app', ({ platform, accepted, wrongId, redirect }) => {
  const simulator = simulate(platform)
  const connector = connectors[platform]
  beforeAll(async () => {
    await simulator.start()
    await simulator.change({ app: { ...right, redirectUris: [redirectUrl] } })
  }, 30_000)
  afterAll(() => simulator.stop())

  test('the right one', async () => {
    const { app } = await check(connector, simulator.origin())
    expect(app.outcome).toBe(accepted)
  })

  test('a wrong id and a wrong secret are refused in the words of the platform', async () => {
    const byId = await check(connector, simulator.origin(), { app: { ...right, clientId: 'another-id' } })
    expect(byId.app).toEqual({ outcome: 'refused', said: wrongId })
    const bySecret = await check(connector, simulator.origin(), { app: { ...right, clientSecret: 'another-secret' } })
    expect(bySecret.app).toEqual({ outcome: 'refused', said: expect.stringMatching(/\w/) })
  })

  test('a redirect URL that is not registered', async () => {
    const other = await check(connector, simulator.origin(), { redirect: `${redirectUrl}/` })
    expect([other.redirect.outcome, (await check(connector, simulator.origin())).redirect.outcome]).toEqual([redirect, 'unknown'])
  })

  test('guarantee: a platform that fails or does not answer has said nothing about the app', async () => {
    const failing = createServer((_request, response) => void response.writeHead(503).end('invalid_client access_token'))
    await once(failing.listen(0, '127.0.0.1'), 'listening')
    const { port } = failing.address() as AddressInfo
    expect(await check(connector, `http://127.0.0.1:${port}`)).toEqual({ app: untold, redirect: untold })
    failing.close()
    const away = await check(connector, 'http://127.0.0.1:9')
    expect(away).toEqual({ app: untold, redirect: untold })
  })
})
