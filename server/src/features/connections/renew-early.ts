import { platforms } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { findExpiringTokens } from './connection.store.ts'
import { renewJob } from './jobs.ts'

/** Renews tokens that can only be renewed before they expire, well ahead of that time, whether or not a post is due. */
export async function renewEarly(ctx: Context): Promise<void> {
  for (const platform of platforms) {
    const { auth } = ctx.connectors[platform]
    if (auth.kind !== 'oauth2' || !auth.renewEarlyMs) continue
    const expiring = await findExpiringTokens(ctx.db.system, platform, auth.renewEarlyMs)
    for (const { workspaceId, id } of expiring) {
      const job = renewJob({ workspaceId, id }, ctx.nowMs() - 60_000)
      // The idempotency key allows one job a day: what fails today is tried tomorrow.
      await ctx.engine.send(job, `${workspaceId}/${id}/${new Date(ctx.nowMs()).toISOString().slice(0, 10)}`)
    }
  }
}
