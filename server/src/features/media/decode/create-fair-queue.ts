/** Runs a task as soon as its workspace gets a slot, and returns its result. */
export type FairQueue = <T>(workspaceId: string, task: () => Promise<T>) => Promise<T>

type Share = { running: number; waiting: (() => void)[] }

/**
 * Runs at most `slots` tasks at once, and at most `perWorkspaceMax` of one workspace. A free slot goes to the waiting workspace that has the
 * fewest tasks running; among equals they take turns. So a workspace that adds many tasks delays another one by the rest of a running task
 * and not by its whole backlog, and it may use all slots while no other workspace waits.
 */
export function createFairQueue({ slots, perWorkspaceMax = slots }: { slots: number; perWorkspaceMax?: number }): FairQueue {
  /** The workspaces with tasks. The one whose task ended last is at the end. */
  const shares = new Map<string, Share>()
  let running = 0

  const findNext = (): [string, Share] | undefined => {
    let next: [string, Share] | undefined
    for (const entry of shares) {
      const [, share] = entry
      const canStart = share.waiting.length > 0 && share.running < perWorkspaceMax
      if (canStart && (!next || share.running < next[1].running)) next = entry
    }
    return next
  }
  const startWaiting = () => {
    for (let next = findNext(); next && running < slots; next = findNext()) {
      const [, share] = next
      share.running++
      running++
      share.waiting.shift()?.()
    }
  }
  return async (workspaceId, task) => {
    const share = shares.get(workspaceId) ?? { running: 0, waiting: [] }
    shares.set(workspaceId, share)
    const { promise: turn, resolve } = Promise.withResolvers<void>()
    share.waiting.push(resolve)
    startWaiting()
    await turn
    try {
      return await task()
    } finally {
      share.running--
      running--
      shares.delete(workspaceId)
      if (share.running > 0 || share.waiting.length > 0) shares.set(workspaceId, share)
      startWaiting()
    }
  }
}
