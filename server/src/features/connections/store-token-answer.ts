import type { Context } from '../../context.ts'
import { delayRenewal, findAnyConnection, replaceToken } from './connection.store.ts'
import type { ConnectionKey, RenewalResult, TokenAnswer } from './jobs.ts'
import { requestReconnect } from './request-reconnect.ts'

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
