import type { Context } from '../../context.ts'
import type { RenewalResult } from '../connections/jobs.ts'
import type { PullRef } from './jobs.ts'
import { pullMetrics } from './pull-metrics.ts'
import { findPull, settlePull } from './pull.store.ts'

/**
 * Continues a pull after the renewal of its token. If the platform could not renew the token now, the pull is due again when the renewal may
 * be repeated. A refused renewal ends the pull until the next day, like any token that is not accepted.
 */
export async function pullAfterRenewal(ctx: Context, ref: PullRef, renewal: RenewalResult): Promise<void> {
  if (renewal.outcome === 'unavailable') await postponePull(ctx, ref, renewal.retryAfterMs)
  else await pullMetrics(ctx, ref, { isRenewed: true })
}

/** Nothing is requested before, because the platform would reject the old token again. */
async function postponePull(ctx: Context, ref: PullRef, waitMs: number): Promise<void> {
  const heldUntil = new Date(ctx.nowMs() + waitMs)
  await ctx.db.tenant(ref.workspaceId, async (tx) => {
    const pull = await findPull(tx, ref)
    if (pull) await settlePull(tx, ref, pull, { nextAt: heldUntil, heldUntil, failures: pull.failures, isRequestDone: false })
  })
}
