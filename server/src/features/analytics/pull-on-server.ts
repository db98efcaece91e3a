import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { runDetachable, type Keep } from '../../infra/queue/run-detachable.ts'
import { destinationOf } from '../connections/calls/server-health.ts'
import { findAnyConnection, findConnection } from '../connections/connection.store.ts'
import { renewJob } from '../connections/jobs.ts'
import { pullJob, type Pull, type PullRef } from './jobs.ts'
import { pullMetrics } from './pull-metrics.ts'
import { findPull, keepPulls, settlePull } from './pull.store.ts'

/** Time for the token to be renewed. */
const renewedAfterMs = 5_000

const keepAll: Keep<PullRef> = (ctx, refs) => keepPulls(ctx.db.system, refs)

/** A renewal that has no result yet is given this long. */
const pendingWaitMs = 60_000

/** Pulls the figures of one connection, without holding a place of the engine for a server that is slow. */
export async function pullOnServer(ctx: Context, pull: Pull): Promise<Job[]> {
  const { workspaceId, connectionId } = pull
  const connection = await findAnyConnection(ctx.db.system, { workspaceId, id: connectionId })
  if (!connection) return pullAndRenew(ctx, pull)
  const to = destinationOf({ platform: connection.platform, instanceUrl: connection.instance_url })
  return runDetachable(ctx, { workspaceId, to, job: pullJob(pull), refs: [pull], keep: keepAll }, () => pullAndRenew(ctx, pull))
}

/** If the platform rejects the token, the pull stays in progress and is continued after a renewal. */
async function pullAndRenew(ctx: Context, { renewingSinceMs, ...ref }: Pull): Promise<Job[]> {
  if (renewingSinceMs !== undefined) {
    await pullAfterRenewal(ctx, ref, renewingSinceMs)
    return []
  }
  const request = await pullMetrics(ctx, ref, { isRenewed: false })
  if (!request) return []
  const key = { workspaceId: ref.workspaceId, id: ref.connectionId }
  return [renewJob(key, request.seenAtMs), pullJob({ ...ref, renewingSinceMs: request.seenAtMs }, renewedAfterMs)]
}

/**
 * Continues a pull whose token was rejected at `sinceMs` and was to be renewed. If there is no new token yet, the pull is due again when the
 * renewal may be repeated. A refused renewal ends the pull until the next day, like any token that is not accepted.
 */
async function pullAfterRenewal(ctx: Context, ref: PullRef, sinceMs: number): Promise<void> {
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
