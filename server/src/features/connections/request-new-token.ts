import { PlatformError, type Credentials } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import { getMetrics } from '../../infra/metrics/get-metrics.ts'
import { findOpenEpoch } from '../../infra/cell/cell.store.ts'
import { findAnyConnection, type ConnectionRow } from './connection.store.ts'
import type { ConnectionKey, TokenAnswer } from './jobs.ts'
import { findPlatformApp } from './apps/platform-apps.ts'
import { canRenew } from './can-renew.ts'
import { connectorOf } from './connector-of.ts'
import { openHttp } from './open-client.ts'
import { openCredentials, sealCredentials } from './seal-credentials.ts'

const waitsMs = [5_000, 15_000, 60_000, 300_000] as const
const waitMsMin = 1_000
const fencedWaitMs = 60_000
const waitMsMax = 86_400_000

/** Asks the platform for a new token, unless there has been a new one since `seenAtMs` or the platform asked us to wait. */
export async function requestNewToken(ctx: Context, key: ConnectionKey, seenAtMs: number): Promise<TokenAnswer> {
  const row = await findAnyConnection(ctx.db.system, key)
  if (!row || row.status === 'needs_reconnect') return { kind: 'not_requested', result: { outcome: 'refused' } }
  const replacedAtMs = row.token_renewed_at.getTime()
  if (replacedAtMs > seenAtMs) return { kind: 'not_requested', result: { outcome: 'renewed' } }
  if ((row.renewing_until?.getTime() ?? 0) > ctx.nowMs()) return { kind: 'not_requested', result: { outcome: 'pending' } }
  const waitMs = (row.renew_after?.getTime() ?? 0) - ctx.nowMs()
  if (waitMs > 0) return { kind: 'not_requested', result: { outcome: 'unavailable', retryAfterMs: waitMs } }
  // After a restore the stored refresh token may have been used already: nothing is renewed until an operator has lifted the fence.
  if ((await findOpenEpoch(ctx.db.system)) === null)
    return { kind: 'not_requested', result: { outcome: 'unavailable', retryAfterMs: fencedWaitMs } }
  if (!connectorOf(ctx, row.platform).auth.renew) {
    return { kind: 'refused', replacedAtMs, reason: 'The platform no longer accepts our permission, and it cannot be renewed.' }
  }
  try {
    const next = await renewTwice(ctx, key, row)
    if (!next.accessToken) throw new Error('the platform answered without a token')
    const sealed = sealCredentials(ctx, key, next).toString('base64')
    const isRenewable = canRenew(connectorOf(ctx, row.platform), next)
    countRenewal(ctx, row, 'issued')
    return { kind: 'issued', replacedAtMs, atMs: ctx.nowMs(), sealed, expiresAtMs: next.expiresAtMs ?? null, isRenewable }
  } catch (error) {
    countRenewal(ctx, row, isRefusal(error) ? 'refused' : 'unavailable')
    if (isRefusal(error)) return { kind: 'refused', replacedAtMs, reason: error.message, isGone: error.kind === 'gone' }
    const failures = Math.min(row.renew_failures + 1, 1000)
    const retryAfterMs = waitAfter(error, failures)
    ctx.log.warn({ err: error, connection: row.slug, retryAfterMs }, 'the token could not be renewed; it is tried again later')
    return { kind: 'unavailable', replacedAtMs, atMs: ctx.nowMs(), failures, retryAfterMs }
  }
}

function countRenewal(ctx: Context, { platform }: ConnectionRow, outcome: 'issued' | 'refused' | 'unavailable'): void {
  getMetrics(ctx).renewals.inc({ platform, outcome })
}

/**
 * If the answer was lost, the platform may have issued a token that we never saw, and a refresh token that works only once may be spent. One
 * more request with the same refresh token tells: some platforms accept it again for a while.
 */
async function renewTwice(ctx: Context, key: ConnectionKey, row: ConnectionRow): Promise<Credentials> {
  try {
    return await renewOnce(ctx, key, row)
  } catch (error) {
    if (!(error instanceof PlatformError) || error.kind !== 'unknown') throw error
    return renewOnce(ctx, key, row)
  }
}

async function renewOnce(ctx: Context, key: ConnectionKey, row: ConnectionRow): Promise<Credentials> {
  const connector = connectorOf(ctx, row.platform)
  const { renew } = connector.auth
  if (!renew) throw new Error(`${row.platform} tokens cannot be renewed`)
  const credentials = openCredentials(ctx, key, row.credentials_sealed)
  const http = openHttp(ctx, connector, { instanceUrl: row.instance_url, credentials }, { recorded: row })
  // Accounts of an instance are renewed without the app, as are those that were connected with a password.
  const app = row.instance_url === null ? await findPlatformApp(ctx, row.platform, row.client_id) : null
  const next = await renew({ http, credentials, app, nowMs: ctx.nowMs() })
  // A new token has the permissions of the one before it.
  return credentials.scopes === undefined ? next : { scopes: credentials.scopes, ...next }
}

/** Only a clear refusal means that the account must be connected again. */
function isRefusal(error: unknown): error is PlatformError {
  return error instanceof PlatformError && (error.kind === 'auth' || error.kind === 'gone' || error.kind === 'rejected')
}

function waitAfter(error: unknown, failures: number): number {
  const asked = error instanceof PlatformError ? error.retryAfterMs : null
  const waitMs = asked ?? waitsMs[Math.min(failures, waitsMs.length) - 1] ?? waitMsMax
  return Math.min(Math.max(waitMs, waitMsMin), waitMsMax)
}
