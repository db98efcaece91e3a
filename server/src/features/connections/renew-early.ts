import { randomInt } from 'node:crypto'
import { platforms } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { claimExpiringTokens, type ExpiringToken } from './connection.store.ts'
import { renewJob } from './jobs.ts'

/** A worker calls `renewEarly` this often, and its renewals are spread over this time. */
export const renewEarlyEveryMs = 600_000

/** How many renewals one call enqueues for a platform. The rest waits for the next call: the tokens are valid for days. */
const perPlatform = 200

/** Renews tokens that can only be renewed before they expire, well ahead of that time, whether or not a post is due. */
export async function renewEarly(ctx: Context): Promise<void> {
  for (const platform of platforms) {
    const { auth } = ctx.connectors[platform]
    if (auth.kind !== 'oauth2' || !auth.renewEarlyMs) continue
    const expiring = await claimExpiringTokens(ctx.db.system, { platform, withinMs: auth.renewEarlyMs, limit: perPlatform })
    for (const token of expiring) {
      const { workspaceId, id, nextAt } = token
      const job = renewJob({ workspaceId, id }, ctx.nowMs() - 60_000, chooseDelay(token, ctx.nowMs()))
      await ctx.engine.send(job, `${workspaceId}/${id}/${nextAt.toISOString()}`)
    }
  }
}

/** A random moment before the next call, so that the platform is not called for all tokens at once. A token that expires soon is earlier. */
function chooseDelay({ expiresAt }: ExpiringToken, nowMs: number): number {
  const leftMs = Math.max(0, expiresAt.getTime() - nowMs)
  return randomInt(Math.floor(Math.min(renewEarlyEveryMs, leftMs / 4)) + 1)
}
