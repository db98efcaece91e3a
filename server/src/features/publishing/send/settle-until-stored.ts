import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { settleJob } from '../jobs.ts'
import type { Finished } from '../settle/result.ts'
import { settle } from '../settle/settle.ts'
import { isConnectionError } from '../../../infra/db/db.ts'

const waitsMs = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000]

/**
 * Stores a result that no run waits for. While the database is away the engine is asked to store it; while both are away this repeats. It
 * gives up only on a result that the database refuses.
 */
export async function settleUntilStored(ctx: Context, finished: Finished): Promise<void> {
  const { channelId, generation } = finished.ref
  for (let n = 0; ; n++) {
    let isRefused = false
    try {
      const jobs = await settle(ctx, [finished])
      await Promise.all(jobs.map((job) => ctx.engine.send(job, `${channelId}:${generation}:${job.handler}`)))
      return
    } catch (error) {
      isRefused = !isConnectionError(error)
      ctx.log.warn({ err: error, channel: channelId, attempt: n + 1 }, 'a result could not be stored; trying again')
    }
    try {
      return await ctx.engine.send(settleJob([finished]), `${channelId}:${generation}:settle`)
    } catch (error) {
      const waitMs = waitsMs[n]
      if (waitMs === undefined && isRefused) {
        ctx.log.error({ err: error, channel: channelId }, 'a result could not be stored; recovery will ask the platform')
        return
      }
      await sleep(waitMs ?? waitsMs.at(-1))
    }
  }
}
