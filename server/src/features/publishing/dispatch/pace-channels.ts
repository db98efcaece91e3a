import type { Context } from '../../../context.ts'
import { chunk } from '../../../infra/engine/in-parallel.ts'
import type { Claimed } from './claim.store.ts'
import { engineWindow } from './engine-window.ts'

/** Enough for full batches of several platforms. */
const stepChannels = 200
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

/**
 * When each channel is to be sent. What is due is sent at once. What was claimed ahead is sent at its time, or after those of its workspace
 * that are due at the same instant, also of earlier claims: a crowd of one workspace then waits in its own line, and not in that of everybody.
 */
export function paceChannels(ctx: Context, due: readonly Claimed[]): { claimed: Claimed; atMs: number }[] {
  const nowMs = ctx.nowMs()
  const pace = ctx.resources.get(createPace, ctx)
  pace.forgetOver(nowMs)
  const channelsPerSecond = engineWindow(ctx).channelsPerSecond()
  const lines = Map.groupBy(due, ({ workspaceId, dispatchAt }) => `${workspaceId} ${dispatchAt.getTime()}`)
  return [...lines].flatMap(([line, group]) => {
    const dueMs = group[0]?.dispatchAt.getTime() ?? nowMs
    if (dueMs <= nowMs) return group.map((claimed) => ({ claimed, atMs: nowMs }))
    const inOrder = group.toSorted((a, b) => a.turn - b.turn)
    return chunk(inOrder, stepChannels).flatMap((step) => {
      const takesMs = Math.round((step.length * 1000) / channelsPerSecond)
      const atMs = pace.take(line, dueMs, takesMs)
      return step.map((claimed) => ({ claimed, atMs }))
    })
  })
}
