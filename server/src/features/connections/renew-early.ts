import { randomInt } from 'node:crypto'
import { platforms } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { claimExpiringTokens, claimIdleTokens, type ExpiringToken } from './connection.store.ts'
import { renewJob } from './jobs.ts'

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
