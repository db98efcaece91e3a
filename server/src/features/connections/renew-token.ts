import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { keptMs, runDetachable, type Keep } from '../../infra/queue/run-detachable.ts'
import { destinationOf } from './calls/server-health.ts'
import { findAnyConnection, keepRenewing, type TokenKey } from './connection.store.ts'
import { renewJob, storeTokenJob, type ConnectionKey, type RenewalResult, type TokenAnswer } from './jobs.ts'
import { requestNewToken } from './request-new-token.ts'
import { storeTokenAnswer } from './store-token-answer.ts'

/** Runs one step of a run and stores its result in the engine's journal, so that a repeated run uses the result of the first. */
export type JournaledStep = <T>(name: string, work: () => Promise<T>) => Promise<T>

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
