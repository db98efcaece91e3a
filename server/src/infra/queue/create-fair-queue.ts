/** For whom a task runs, and the server that it calls, if it calls one. */
type TaskOwner = { workspaceId: string; server?: string }

export type FairQueue = {
  /** Runs a task as soon as its workspace and its server have a free slot, at once if they have, and returns its result. */
  run<T>(owner: TaskOwner, task: () => Promise<T>): Promise<T>
  /** False if so many tasks wait that no further one of this workspace may. */
  hasRoom(workspaceId: string): boolean
  /** Starts everything that waits, whatever the limits are, because the process ends. */
  startAll(): void
}

type Limits = {
  slots: number
  perWorkspaceMax?: number
  perServerMax?: number
  waitingMax?: number
  waitingPerWorkspaceMax?: number
}

type Waiting = { server: string | undefined; start(): void }
type Share = { running: number; waiting: Waiting[] }

/**
 * Runs at most `slots` tasks at once, and at most `perWorkspaceMax` of one workspace and `perServerMax` on one server. A free slot goes to
 * the waiting workspace that has the fewest tasks running; among equals they take turns. So a workspace that adds many tasks delays another
 * one by the rest of a running task and not by its whole backlog, and it may use all slots while no other workspace waits. A task whose server
 * has no free slot does not hold up the other tasks of its workspace.
 */
export function createFairQueue({
  slots,
  perWorkspaceMax = slots,
  perServerMax = slots,
  waitingMax = Infinity,
  waitingPerWorkspaceMax = waitingMax,
}: Limits): FairQueue {
  /** The workspaces with tasks. The one whose task ended last is at the end. */
  const shares = new Map<string, Share>()
  const servers = new Map<string, number>()
  let running = 0
  let waiting = 0
  let isOpen = false

  const canCall = ({ server }: Waiting) => server === undefined || (servers.get(server) ?? 0) < perServerMax
  const findNext = (): { share: Share; at: number } | undefined => {
    let next: { share: Share; at: number } | undefined
    for (const share of shares.values()) {
      if (share.running >= perWorkspaceMax || (next && share.running >= next.share.running)) continue
      const at = share.waiting.findIndex(canCall)
      if (at >= 0) next = { share, at }
    }
    return next
  }
  const startWaiting = () => {
    while (running < slots) {
      const next = findNext()
      if (!next) return
      start(next.share, next.at)
    }
  }
  const start = (share: Share, at: number) => {
    const [task] = share.waiting.splice(at, 1)
    if (!task) return
    waiting--
    running++
    share.running++
    if (task.server !== undefined) servers.set(task.server, (servers.get(task.server) ?? 0) + 1)
    task.start()
  }
  const end = (share: Share, { workspaceId, server }: TaskOwner) => {
    running--
    share.running--
    const onServer = server === undefined ? 0 : (servers.get(server) ?? 1) - 1
    if (server !== undefined && onServer > 0) servers.set(server, onServer)
    else if (server !== undefined) servers.delete(server)
    shares.delete(workspaceId)
    if (share.running > 0 || share.waiting.length > 0) shares.set(workspaceId, share)
    startWaiting()
  }

  return {
    run: <T>(owner: TaskOwner, task: () => Promise<T>) => {
      const share = shares.get(owner.workspaceId) ?? { running: 0, waiting: [] }
      shares.set(owner.workspaceId, share)
      const { promise, resolve } = Promise.withResolvers<T>()
      // The task begins in this call, so that whoever adds one knows whether it had to wait. The function turns what is thrown into a rejection.
      const begin = async () => task()
      share.waiting.push({
        server: owner.server,
        start: () => resolve(begin().finally(() => end(share, owner))),
      })
      waiting++
      if (isOpen) start(share, share.waiting.length - 1)
      else startWaiting()
      return promise
    },
    hasRoom: (workspaceId) => waiting < waitingMax && (shares.get(workspaceId)?.waiting.length ?? 0) < waitingPerWorkspaceMax,
    startAll() {
      isOpen = true
      for (const share of shares.values()) while (share.waiting.length > 0) start(share, 0)
    },
  }
}
