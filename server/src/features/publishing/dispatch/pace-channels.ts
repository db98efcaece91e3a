import type { Context } from '../../../context.ts'
import { chunk } from '../../../infra/engine/chunk.ts'
import type { Claimed } from './claim.store.ts'

type Line = { channelsPerSecond: number; stepChannels: number }

/**
 * A workspace's channels that are due at the same instant. The rate of one worker is about what it can send: a crowd of one workspace then
 * waits in its own line, and not in that of everybody else. A step has channels of several platforms, and enough of each to fill batches.
 */
const onTime: Line = { channelsPerSecond: 2_000, stepChannels: 200 }
/** A workspace's channels on one platform that are overdue, for example after an outage. They leave room for those that are still on time. */
const overdue: Line = { channelsPerSecond: 500, stepChannels: 100 }
/** Lines that are over are forgotten when there are more than this. */
const linesMax = 1_000

function createPace() {
  const freeFromMs = new Map<string, number>()
  const value = {
    /** The time from which the line has room for some channels, which then take their place in it for so long. */
    take(line: string, atMs: number, takesMs: number): number {
      const startMs = Math.max(atMs, freeFromMs.get(line) ?? 0)
      freeFromMs.set(line, startMs + takesMs)
      return startMs
    },
    forgetOver(nowMs: number) {
      if (freeFromMs.size > linesMax) for (const [key, freeMs] of freeFromMs) if (freeMs < nowMs) freeFromMs.delete(key)
    },
  }
  return { value }
}

/** When each channel is to be sent: at its time, or after those of its workspace that are due at the same instant, of earlier claims too. */
export function paceChannels(ctx: Context, due: readonly Claimed[]): { claimed: Claimed; atMs: number }[] {
  const nowMs = ctx.nowMs()
  const pace = ctx.resources.get(createPace, ctx)
  pace.forgetOver(nowMs)
  const isOverdue = ({ dispatchAt }: Claimed) => dispatchAt.getTime() <= nowMs
  const lines = Map.groupBy(due, (claimed) =>
    isOverdue(claimed) ? `${claimed.workspaceId} ${claimed.platform}` : `${claimed.workspaceId} ${claimed.dispatchAt.getTime()}`,
  )
  return [...lines].flatMap(([line, group]) => {
    const [first] = group
    if (!first) return []
    const { channelsPerSecond, stepChannels } = isOverdue(first) ? overdue : onTime
    const inOrder = group.toSorted((a, b) => a.turn - b.turn)
    return chunk(inOrder, stepChannels).flatMap((step) => {
      const takesMs = Math.round((step.length * 1000) / channelsPerSecond)
      const atMs = pace.take(line, Math.max(first.dispatchAt.getTime(), nowMs), takesMs)
      return step.map((claimed) => ({ claimed, atMs }))
    })
  })
}
