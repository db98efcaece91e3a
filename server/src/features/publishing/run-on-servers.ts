import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { type Keep, keptMs, runDetachable } from '../../infra/queue/run-detachable.ts'
import { destinationOf, serverQueueMs, serverWaitMs } from '../connections/calls/server-health.ts'
import type { ChannelRef } from './channel-ref.ts'
import { findServers, keepFor } from './channel-server.store.ts'
import { giveUpAfterMs } from './settle/judge-failure.ts'

type ServerWork = {
  /** Channels in other states have moved on. */
  states: readonly string[]
  job: (refs: readonly ChannelRef[]) => Job
  work: (refs: readonly ChannelRef[]) => Promise<Job[]>
}

const keepChannels: Keep<ChannelRef> = (ctx, refs) => keepFor(ctx.db.system, refs, keptMs)

/** Works on channels, those of each connection together, without holding a place of the engine for a server that is slow. */
export async function runOnServers(ctx: Context, refs: readonly ChannelRef[], { states, job, work }: ServerWork): Promise<Job[]> {
  const channels = await findServers(ctx.db.system, refs, states)
  const groups = Map.groupBy(channels, ({ ref, connectionId }) => `${ref.workspaceId}/${connectionId}`)
  const jobs = await Promise.all(
    [...groups.values()].flatMap((group) => {
      const [first] = group
      if (!first) return []
      const own = group.map(({ ref }) => ref)
      const detachable = {
        workspaceId: first.ref.workspaceId,
        to: destinationOf(first),
        job: job(own),
        refs: own,
        keep: keepChannels,
      }
      return [runDetachable(ctx, detachable, () => workAndKeep(ctx, own, work))]
    }),
  )
  return jobs.flat()
}

/** The jobs that follow may be due much later. Until then the channels are not taken for lost, and not for longer. */
async function workAndKeep(ctx: Context, refs: readonly ChannelRef[], work: ServerWork['work']): Promise<Job[]> {
  const jobs = await work(refs)
  if (jobs.length > 0) await keepFor(ctx.db.system, refs, keptMs + Math.max(...jobs.map(({ delayMs = 0 }) => delayMs)))
  return jobs
}

type DueChannel = { platform: string; instanceUrl: string | null; dueAtMs: number; isCalling: boolean }

/** How long a due channel waits for its server, 0 if it is sent now. What is very late is tried anyway, so that it ends with the reason. */
export function waitForServerMs(ctx: Context, { platform, instanceUrl, dueAtMs, isCalling }: DueChannel): number {
  if (ctx.nowMs() - dueAtMs > giveUpAfterMs) return 0
  const server = { platform, instanceUrl }
  const waitMs = serverWaitMs(ctx, server, { isCalling })
  return waitMs === 0 ? 0 : Math.max(waitMs, serverQueueMs(ctx, server))
}
