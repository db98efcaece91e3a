import { randomInt } from 'node:crypto'
import { type Credentials, PlatformError } from '@carillon/connectors'
import { platforms } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { findOpenEpoch } from '../../infra/cell/cell.store.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { getMetrics } from '../../infra/metrics/get-metrics.ts'
import { type Keep, keptMs, runDetachable } from '../../infra/queue/run-detachable.ts'
import { destinationOf } from './calls/server-health.ts'
import { canRenew } from './can-renew.ts'
import { findAppOf } from './connect/find-app.ts'
import {
  type ConnectionRow,
  type ExpiringToken,
  type TokenKey,
  claimExpiringTokens,
  claimIdleTokens,
  delayRenewal,
  findAnyConnection,
  keepRenewing,
  replaceToken,
} from './connection.store.ts'
import { connectorOf } from './connector-of.ts'
import { type ConnectionKey, type RenewalResult, type TokenAnswer, renewJob, storeTokenJob } from './jobs.ts'
import { openHttp } from './open-client.ts'
import { requestReconnect } from './disconnect.ts'
import { openCredentials, sealCredentials } from './seal-credentials.ts'

/** Runs one step of a run and stores its result in the engine's journal, so that a repeated run uses the result of the first. */
export type JournaledStep = <T>(name: string, work: () => Promise<T>) => Promise<T>

const waitsMs = [5_000, 15_000, 60_000, 300_000] as const
const waitMsMin = 1_000
const fencedWaitMs = 60_000
const waitMsMax = 86_400_000

/**
 * Renews the token of a connection. The platform's answer is journaled before it is stored: a refresh token may work only once, so a new one
 * must not be lost while the database is away. If the platform is slow, the run ends with `pending` and this process stores the answer.
 */
export async function renewToken(
  ctx: Context,
  key: ConnectionKey,
  { seenAtMs, step }: { seenAtMs: number; step: JournaledStep },
): Promise<RenewalResult> {
  const answer = await step('request', () => requestOnServer(ctx, key, seenAtMs))
  return step('store', () => storeTokenAnswer(ctx, key, answer))
}

const pending: TokenAnswer = { kind: 'not_requested', result: { outcome: 'pending' } }

const keepRenewals: Keep<TokenKey> = async (ctx, tokens) => {
  for (const token of tokens) await keepRenewing(ctx.db.system, token, new Date(ctx.nowMs() + keptMs))
}

async function requestOnServer(ctx: Context, key: ConnectionKey, seenAtMs: number): Promise<TokenAnswer> {
  const row = await findAnyConnection(ctx.db.system, key)
  if (!row) return requestNewToken(ctx, key, seenAtMs)
  const to = destinationOf({ platform: row.platform, instanceUrl: row.instance_url })
  const refs = [{ ...key, tokenRenewedAtMs: row.token_renewed_at.getTime() }]
  let isAwaited = true
  let answer: TokenAnswer | null = null
  await runDetachable(
    ctx,
    { workspaceId: key.workspaceId, to, job: renewJob(key, seenAtMs), refs, keep: keepRenewals },
    async () => {
      answer = await requestNewToken(ctx, key, seenAtMs)
      return isAwaited ? [] : storeUnawaited(ctx, key, answer)
    },
  )
  isAwaited = false
  return answer ?? pending
}

/** While the database is away, the engine keeps the answer. */
async function storeUnawaited(ctx: Context, key: ConnectionKey, answer: TokenAnswer): Promise<Job[]> {
  try {
    await storeTokenAnswer(ctx, key, answer)
    return []
  } catch (error) {
    ctx.log.warn({ err: error, connection: key.id }, 'a new token could not be stored; the engine keeps it until it can be')
    return [storeTokenJob(key, answer)]
  }
}

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
  // Accounts that were connected with a password are renewed without an app. An instance has one of its own.
  const app = connector.auth.kind === 'oauth2' ? await findAppOf(ctx, connector, row) : null
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

/**
 * Stores what the platform answered to a request for a new token, and returns the result of the renewal. It can safely be repeated. Nothing
 * is changed if the account was connected again in the meantime: the token of that sign-in is newer than the answer.
 */
export async function storeTokenAnswer(ctx: Context, key: ConnectionKey, answer: TokenAnswer): Promise<RenewalResult> {
  if (answer.kind === 'not_requested') return answer.result
  const token = { ...key, tokenRenewedAtMs: answer.replacedAtMs }
  switch (answer.kind) {
    case 'issued': {
      // An answer in the journal of an earlier version does not tell whether the token can be renewed.
      const { sealed, expiresAtMs, atMs, isRenewable = null } = answer
      const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs)
      await replaceToken(ctx.db.system, token, {
        sealed: Buffer.from(sealed, 'base64'),
        expiresAt,
        at: new Date(atMs),
        isRenewable,
      })
      return { outcome: 'renewed' }
    }
    case 'refused': {
      await requestReconnect(ctx, token, { reason: answer.reason, ...(answer.isGone && { code: 'account_gone' }) })
      return (await hasNewerToken(ctx, token)) ? { outcome: 'renewed' } : { outcome: 'refused' }
    }
    case 'unavailable': {
      const { failures, atMs, retryAfterMs } = answer
      await delayRenewal(ctx.db.system, token, { failures, until: new Date(atMs + retryAfterMs) })
      return (await hasNewerToken(ctx, token)) ? { outcome: 'renewed' } : { outcome: 'unavailable', retryAfterMs }
    }
  }
}

async function hasNewerToken(ctx: Context, key: ConnectionKey & { tokenRenewedAtMs: number }): Promise<boolean> {
  const row = await findAnyConnection(ctx.db.system, key)
  return row !== undefined && row.token_renewed_at.getTime() > key.tokenRenewedAtMs
}

/** A worker calls `renewEarly` this often, and its renewals are spread over this time. */
export const renewEarlyEveryMs = 600_000

/** How many renewals one call enqueues for a platform. The rest waits for the next call: the tokens are valid for days. */
const perPlatform = 200

/** Of the time for which a refresh token lasts, this much may pass without a renewal. */
const idleShareMax = 3 / 4

/**
 * Renews, whether or not a post is due, tokens that can only be renewed before they expire, well ahead of that time, and those whose refresh token
 * would end because nothing was sent for long.
 */
export async function renewEarly(ctx: Context): Promise<void> {
  for (const platform of platforms) {
    const { auth } = ctx.connectors[platform]
    if (auth.kind !== 'oauth2') continue
    const { renewEarlyMs: withinMs, refreshLastsMs } = auth
    const claim = { platform, limit: perPlatform }
    const tokens = [
      ...(withinMs === undefined ? [] : await claimExpiringTokens(ctx.db.system, { ...claim, withinMs })),
      ...(refreshLastsMs === undefined
        ? []
        : await claimIdleTokens(ctx.db.system, { ...claim, idleMs: refreshLastsMs * idleShareMax })),
    ]
    for (const token of tokens) {
      const { workspaceId, id, nextAt } = token
      const job = renewJob({ workspaceId, id }, ctx.nowMs() - 60_000, chooseDelay(token, ctx.nowMs()))
      await ctx.engine.send(job, `${workspaceId}/${id}/${nextAt.toISOString()}`)
    }
  }
}

/**
 * A random moment before the next call, so that the platform is not called for all tokens at once. A token that expires soon is earlier; for one
 * that expired long ago, only its refresh token counts, which has days left.
 */
function chooseDelay({ expiresAt }: ExpiringToken, nowMs: number): number {
  const leftMs = expiresAt.getTime() - nowMs
  return randomInt(Math.floor(leftMs > 0 ? Math.min(renewEarlyEveryMs, leftMs / 4) : renewEarlyEveryMs) + 1)
}
