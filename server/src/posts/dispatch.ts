import type { Context } from '../context.ts'
import { newUuid } from '../ids.ts'
import { claimDue, findOrphans, markHanded, releaseClaims, releaseStuck, type Claimed } from './dispatch.store.ts'
import { checkErrand, prepareErrand, recoverErrand, submitErrand, type Ticket } from './errands.ts'

/** How far ahead of its time a channel is handed to the engine. */
const horizonMs = 120_000
const claimMax = 2000
/** Channels one run carries: the cost of a run is shared, and a run that crashes leaves few to ask about. */
const batchMax = 50

/** Takes what falls due soon from the schedule and hands it to the engine. Says whether there may be more. */
export async function dispatchDue(ctx: Context): Promise<boolean> {
  const due = await claimDue(ctx.db.system, { horizonMs, limit: claimMax })
  const [early, plain] = [due.filter(({ prepare }) => prepare), due.filter(({ prepare }) => !prepare)]
  await Promise.all([
    ...early.map((claimed) => handOver(ctx, [claimed], () => ctx.engine.send(prepareErrand(ticket(claimed)), newUuid()))),
    ...batches(plain, ctx.nowMs()).map(({ claimed, delayMs }) =>
      handOver(ctx, claimed, () => ctx.engine.send(submitErrand(claimed.map(ticket), delayMs), newUuid())),
    ),
  ])
  return due.length === claimMax
}

/** Repairs what a crash left behind, wherever it happened. */
export async function sweep(ctx: Context): Promise<void> {
  const stuck = await releaseStuck(ctx.db.system)
  if (stuck > 0) ctx.log.warn({ stuck }, 'channels claimed and not carried on went back to the schedule')
  const orphans = await findOrphans(ctx.db.system)
  if (orphans.length > 0) ctx.log.warn({ orphans: orphans.length }, 'sends without a run are being asked about')
  await Promise.all(
    orphans.map((orphan) =>
      ctx.engine.send(orphan.state === 'submitting' ? recoverErrand(orphan, 0, 0) : checkErrand(orphan, 0, 0), newUuid()),
    ),
  )
}

/** Channels for the same platform due at the same instant travel together; what is already due is one instant. */
function batches(due: readonly Claimed[], nowMs: number): { claimed: Claimed[]; delayMs: number }[] {
  const groups = Map.groupBy(due, ({ platform, dispatchAt }) => `${platform} ${Math.max(dispatchAt.getTime(), nowMs)}`)
  return [...groups.values()].flatMap((group) => {
    const delayMs = Math.max(0, (group[0]?.dispatchAt.getTime() ?? 0) - nowMs)
    return chunk(group, batchMax).map((claimed) => ({ claimed, delayMs }))
  })
}

async function handOver(ctx: Context, claimed: readonly Claimed[], send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    // Perhaps it was accepted and only the answer was lost; the next claim's generation makes that run a stale one.
    ctx.log.warn({ err: error, channels: claimed.length }, 'the engine did not take a batch; it goes back to the schedule')
    await releaseClaims(ctx.db.system, claimed)
    throw error
  }
  await markHanded(ctx.db.system, claimed)
}

function ticket({ workspaceId, channelId, generation }: Claimed): Ticket {
  return { workspaceId, channelId, generation }
}

function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))
}
