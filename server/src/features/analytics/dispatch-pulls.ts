import { platforms } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { jobKey, pullJob, type PullRef } from './jobs.ts'
import { claimPulls, releasePull } from './pull.store.ts'

/** Pulls of one platform that the engine has at a time: one that dawdles holds up nobody else, and publishing keeps its slots. */
const perPlatformMax = 40
/** A pull waits for its platform for seconds; who has not been heard of by then is lost. */
const lostAfterMs = 600_000

/** Hands the pulls that are due to the engine, a bounded number at a time. */
export async function dispatchPulls(ctx: Context): Promise<void> {
  const claimed = await claimPulls(ctx.db.system, { platforms, perPlatform: perPlatformMax, lostAfterMs })
  const refused = (await Promise.all(claimed.map((ref) => handOver(ctx, ref)))).filter((error) => error !== null)
  if (refused.length > 0)
    throw new Error(`the engine did not take ${refused.length} of ${claimed.length} pulls`, { cause: refused[0] })
}

async function handOver(ctx: Context, ref: PullRef): Promise<unknown> {
  try {
    await ctx.engine.send(pullJob(ref), jobKey(ref))
    return null
  } catch (error) {
    // Perhaps it was accepted and only the answer was lost; the next claim's generation makes that run a stale one.
    await releasePull(ctx.db.system, ref)
    return error
  }
}
