import type { Context } from '../../../context.ts'
import { chunk } from './chunk.ts'
import type { Claimed } from './dispatch.store.ts'

/**
 * A workspace's channels that are due at the same instant are sent at this rate by one worker. It is a little more than a worker can send:
 * a crowd of one workspace then waits in its own line, and not in that of everybody else.
 */
const channelsPerSecond = 2_000
/** They follow each other in steps of this many. A step has channels of several platforms, and enough of each to fill its batches. */
const stepChannels = 200
/** Lines that are over are forgotten when there are more than this. */
const linesMax = 1_000

function createPace() {
  const freeFromMs = new Map<string, number>()
  /** The time from which the line has room for so many channels, which then take their place in it. */
  const value = (line: string, atMs: number, count: number, nowMs: number): number => {
    const startMs = Math.max(atMs, freeFromMs.get(line) ?? 0)
    freeFromMs.set(line, startMs + Math.round((count * 1000) / channelsPerSecond))
    if (freeFromMs.size > linesMax) for (const [key, freeMs] of freeFromMs) if (freeMs < nowMs) freeFromMs.delete(key)
    return startMs
  }
  return { value }
}

/** When each channel is to be sent: at its time, or after those of its workspace that are due at the same instant, of earlier claims too. */
export function paceChannels(ctx: Context, due: readonly Claimed[]): { claimed: Claimed; atMs: number }[] {
  const nowMs = ctx.nowMs()
  const place = ctx.resources.get(createPace, ctx)
  const lines = Map.groupBy(due, ({ workspaceId, dispatchAt }) => {
    const isDue = dispatchAt.getTime() <= nowMs
    return `${workspaceId} ${isDue ? 'due' : dispatchAt.getTime()}`
  })
  return [...lines].flatMap(([line, group]) =>
    chunk(
      group.toSorted((a, b) => a.turn - b.turn),
      stepChannels,
    ).flatMap((step) => {
      const [first] = step
      const atMs = place(line, Math.max(first?.dispatchAt.getTime() ?? 0, nowMs), step.length, nowMs)
      return step.map((claimed) => ({ claimed, atMs }))
    }),
  )
}
