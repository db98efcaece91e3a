import { platforms } from '@carillon/contract'
import type { Context } from '../context.ts'
import { findEndingTokens } from './connection.store.ts'

/** Tokens that can only be renewed while they live are renewed well before their end, whether or not a post is due. */
export async function renewEarly(ctx: Context): Promise<void> {
  for (const platform of platforms) {
    const { auth } = ctx.connectors[platform]
    if (auth.kind !== 'oauth2' || !auth.renewEarlyMs) continue
    const ending = await findEndingTokens(ctx.db.system, platform, auth.renewEarlyMs)
    for (const { workspaceId, id } of ending) {
      const errand = {
        service: 'connection',
        key: `${workspaceId}/${id}`,
        handler: 'renew',
        payload: { seenAtMs: ctx.nowMs() - 60_000 },
      }
      // One a day is enough: what fails today is tried tomorrow.
      await ctx.engine.send(errand, `${workspaceId}/${id}/${new Date(ctx.nowMs()).toISOString().slice(0, 10)}`)
    }
  }
}
