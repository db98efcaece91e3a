import type { Context } from '../../../context.ts'
import { chunk } from '../../../infra/engine/in-parallel.ts'
import { dayOf } from '../resolve-range.ts'
import { type HistoryDay, dayMs, decodeHistory, encodeHistory } from './encode-history.ts'
import {
  findHistories,
  findUnfolded,
  keepChannels,
  lockHistories,
  saveHistories,
  takeDays,
  type ChannelKey,
} from './history.store.ts'

/** A channel is due when its oldest day is this old. All its past days are moved then, so that a history is written once a week. */
const dueAfterDays = 8
/** Younger days stay where they are: figures of today are still collected, and the clocks of workers differ. */
const openDays = 2
/** How long both releases may run side by side after an upgrade. The release before would export a folded channel without its old days. */
const upgradeDays = 7
const candidatesMax = 2000
const batchSize = 200

/**
 * Moves past days from `metric_day`, which has a row for each, into the one row that a channel has in `metric_history`. Each batch is one
 * short transaction, so an interruption loses nothing. Returns whether there may be more.
 */
export async function foldHistory(ctx: Context): Promise<boolean> {
  const nowMs = ctx.nowMs()
  const candidates = await findUnfolded(ctx.db.system, {
    before: dayOf(nowMs - dueAfterDays * dayMs),
    upgradedBefore: new Date(nowMs - upgradeDays * dayMs),
    limit: candidatesMax,
  })
  const before = dayOf(nowMs - openDays * dayMs)
  let moved = 0
  for (const batch of chunk(candidates, batchSize)) {
    const movedNow = await foldBatch(ctx, batch, before)
    if (movedNow === null) return false
    moved += movedNow
  }
  return moved > 0
}

/** The number of days that were moved; null if another worker is moving days. */
async function foldBatch(ctx: Context, candidates: readonly ChannelKey[], before: string): Promise<number | null> {
  return ctx.db.system.transaction().execute(async (tx) => {
    if (!(await lockHistories(tx))) return null
    const channels = await keepChannels(tx, candidates)
    if (channels.length === 0) return 0
    const taken = await takeDays(tx, channels, before)
    const takenOf = Map.groupBy(taken, keyOf)
    const histories = new Map((await findHistories(tx, channels)).map((history) => [keyOf(history), decodeHistory(history.days)]))
    await saveHistories(
      tx,
      channels.flatMap((channel) => {
        const days = takenOf.get(keyOf(channel))
        return days ? [{ ...channel, days: encodeHistory(mergeDays(histories.get(keyOf(channel)) ?? [], days)) }] : []
      }),
    )
    return taken.length
  })
}

/** All days in their order. Of two entries for a day, which a restored copy could cause, the row of its own is the newer one. */
function mergeDays(history: readonly HistoryDay[], taken: readonly HistoryDay[]): HistoryDay[] {
  const days = new Map([...history, ...taken].map((day) => [day.day, day]))
  return [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
}

function keyOf({ workspaceId, channelId }: ChannelKey): string {
  return `${workspaceId} ${channelId}`
}
