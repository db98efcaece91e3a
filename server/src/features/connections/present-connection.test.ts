import type { Credentials } from '@carillon/connectors'
import { isPlatform } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { connectionRow } from './connection-row.ts'
import { presentConnection } from './present-connection.ts'

const dayMs = 86_400_000
let server: TestServer

beforeAll(() => {
  server = openServer({ database: { url: 'postgres://nowhere.invalid/none', stop: () => Promise.resolve() } })
})
afterAll(() => server.close())

function statusOf(platform: string, credentials: Omit<Credentials, 'accessToken'>, nowMs: number): string {
  if (!isPlatform(platform)) throw new Error(`"${platform}" is not a platform`)
  const account = { platform, handle: 'tower', accountId: '1', credentials: { accessToken: 't', ...credentials } }
  const row = connectionRow(server.ctx, { workspaceId: 'w', id: 'c', slug: 's', nowMs, account })
  const more = { token_expires_at: row.token_expires_at, targets: null, disconnected_at: null }
  const later = {
    status_code: null,
    avatar_key: null,
    avatar_source: null,
    avatar_at: null,
    client_id: null,
    external_id: null,
    metadata: {},
  }
  const renewal = {
    renew_failures: 0,
    renew_after: null,
    renewing_until: null,
    renew_early_after: null,
    own_app: false,
    capabilities: null,
    capabilities_at: null,
    capabilities_asked_at: null,
    expiry_announced_for: null,
  }
  return presentConnection(server.ctx, { row: { ...row, ...more, ...renewal, ...later }, nowMs }).status
}

/** Guarantee: a person is warned before a token ends that only they can renew, and only then. */
test.each([
  { platform: 'linkedin', refreshToken: undefined, days: 2, status: 'expiring', why: 'has no refresh token' },
  { platform: 'linkedin', refreshToken: undefined, days: 10, status: 'active', why: 'is valid for longer' },
  { platform: 'linkedin', refreshToken: 'r', days: 2, status: 'active', why: 'has a refresh token' },
  { platform: 'threads', refreshToken: undefined, days: 2, status: 'active', why: 'is its own refresh token' },
  { platform: 'bluesky', refreshToken: undefined, days: 0, status: 'active', why: 'is renewed with the app password' },
])('a $platform token that ends in $days days and $why is $status', ({ platform, refreshToken, days, status }) => {
  const nowMs = Date.now()
  const credentials = { expiresAtMs: nowMs + days * dayMs, ...(refreshToken !== undefined && { refreshToken }) }
  expect(statusOf(platform, credentials, nowMs)).toBe(status)
})
