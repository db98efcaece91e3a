import type { Context } from '../../context.ts'
import type { Job } from '../../infra/engine/engine.ts'
import { keptMs, runDetachable, type Keep } from '../../infra/queue/run-detachable.ts'
import { destinationOf } from '../connections/calls/server-health.ts'
import { findServers, keepFor } from './channel-server.store.ts'
import type { ChannelRef } from './channel-ref.ts'

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
