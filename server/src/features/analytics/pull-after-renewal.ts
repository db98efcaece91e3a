import type { Context } from '../../context.ts'
import { findConnection } from '../connections/connection.store.ts'
import type { PullRef } from './jobs.ts'
import { pullMetrics } from './pull-metrics.ts'
import { findPull, settlePull } from './pull.store.ts'

/** A renewal that has no result yet is given this long. */
const pendingWaitMs = 60_000

/**
 * Continues a pull whose token was rejected at `sinceMs` and was to be renewed. If there is no new token yet, the pull is due again when the
 * renewal may be repeated. A refused renewal ends the pull until the next day, like any token that is not accepted.
 */
export async function pullAfterRenewal(ctx: Context, ref: PullRef, sinceMs: number): Promise<void> {
  const { workspaceId, connectionId } = ref
  const waitMs = await ctx.db.tenant(workspaceId, async (tx) => {
    const connection = await findConnection(tx, workspaceId, connectionId)
    if (!connection || connection.status === 'needs_reconnect' || connection.token_renewed_at.getTime() > sinceMs) return 0
    return Math.max((connection.renew_after?.getTime() ?? 0) - ctx.nowMs(), 0) || pendingWaitMs
  })
  if (waitMs > 0) await postponePull(ctx, ref, waitMs)
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
