import { platforms } from '@carillon/contract'
import type { Context } from '../../context.ts'
import { jobKey, pullJob, type PullRef } from './jobs.ts'
import { tellsFollowers } from '../connections/connector-of.ts'
import { planFollowerPulls } from './follower.store.ts'
import { claimPulls, releasePull } from './pull.store.ts'

/** Pulls of one platform that are in progress at a time: a slow platform does not delay the others or occupy the slots for publishing. */
const perPlatformMax = 40
/** The process that makes a pull says so every 20 seconds. A claimed pull of which nothing was heard for this long is claimed again. */
const lostAfterMs = 120_000

/** Claims a limited number of the pulls that are due and enqueues a job for each. */
export async function dispatchPulls(ctx: Context): Promise<void> {
  const claimed = await claimPulls(ctx.db.system, { platforms, perPlatform: perPlatformMax, lostAfterMs })
  const refused = (await Promise.all(claimed.map((ref) => enqueue(ctx, ref)))).filter((error) => error !== null)
  if (refused.length > 0)
    throw new Error(`the engine did not accept ${refused.length} of ${claimed.length} metric pulls`, { cause: refused[0] })
}

async function enqueue(ctx: Context, ref: PullRef): Promise<unknown> {
  try {
    await ctx.engine.send(pullJob(ref), jobKey(ref))
    return null
  } catch (error) {
    // It may have been accepted although the response was lost. The next claim raises the generation, so that run does nothing.
    await releasePull(ctx.db.system, ref)
    return error
  }
}

/** Followers are asked for whether or not an account publishes, and only the event of a published post plans a pull by itself. */
export async function planPullsForFollowers(ctx: Context): Promise<void> {
  await planFollowerPulls(
    ctx.db.system,
    platforms.filter((platform) => tellsFollowers(ctx, platform)),
  )
}
