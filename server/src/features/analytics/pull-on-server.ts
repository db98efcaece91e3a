import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { runDetachable, type Keep } from '../../infra/queue/run-detachable.ts'
import { destinationOf } from '../connections/calls/server-health.ts'
import { findAnyConnection } from '../connections/connection.store.ts'
import { renewJob } from '../connections/jobs.ts'
import { pullJob, type Pull, type PullRef } from './jobs.ts'
import { pullAfterRenewal } from './pull-after-renewal.ts'
import { pullMetrics } from './pull-metrics.ts'
import { keepPulls } from './pull.store.ts'

/** Time for the token to be renewed. */
const renewedAfterMs = 5_000

const keepAll: Keep<PullRef> = (ctx, refs) => keepPulls(ctx.db.system, refs)

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
