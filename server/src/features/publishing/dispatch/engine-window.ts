import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { countWorkers } from '../../../infra/health/heartbeat.store.ts'

/** Channels in the engine that were due when they were enqueued, for all workers of a cell together: how many at first, and at least. */
const startMax = 2_000
const floor = 1_600
/** For one worker: at least and at most. */
const ownFloor = 200
const ownCeiling = 4_000
/** A run takes up to two seconds: its own steps, and 1.5 s for a slow server. More than this means that it waited for others. */
const promptMs = 2_500
/** Jobs of few channels are watched together: the engine starts runs in the order of their jobs, so the end of the last tells enough. */
const watchFrom = 50
const watchEveryMs = 100
const waitMsMax = 500
const countEveryMs = 10_000

/**
 * How much this worker may enqueue. The engine starts runs in the order of their jobs and knows no tenants, so whatever is claimed and not
 * yet sent delays everybody's next post: the rest of a backlog stays in the schedule, where workspaces take turns. How much is enough depends
 * on the machine and on how many workers share it, so the window grows while runs end promptly and shrinks while they do not.
 */
function createEngineWindow({ db }: Context) {
  let workers = 1
  let countedAtMs = -Infinity
  let max = startMax
  let open = 0
  let unwatched = 0
  let watchedAtMs = -Infinity
  const setMax = (next: number) => {
    max = Math.min(Math.max(next, floor / workers, ownFloor), ownCeiling)
  }
  const end = (channels: number, tookMs: number) => {
    open -= channels
    setMax(max + (tookMs <= promptMs ? channels : -channels) / 2)
  }
  const value = {
    /** Learns how many workers there are. Each has its part of what is right for one. */
    async share(): Promise<void> {
      if (performance.now() < countedAtMs + countEveryMs) return
      countedAtMs = performance.now()
      const before = workers
      workers = Math.max(1, await countWorkers(db.system))
      setMax((max * before) / workers)
    },
    room: () => Math.floor(max - open),
    /** A claim of fewer would make runs of a few channels each, which cost several times as much. */
    hasRoom: () => value.room() >= max / 2,
    /** How many channels of one second may be enqueued ahead of it. Claiming them then would cost the time in which they are sent. */
    aheadMax: () => Math.floor(max * 6),
    /** At which rate the crowd of one workspace in one instant is enqueued ahead: more than can be sent, so that no time is lost. */
    channelsPerSecond: () => max,
    /** Waits for room, and not for long: meanwhile posts of others fall due. */
    async waitForRoom(): Promise<void> {
      const endMs = performance.now() + waitMsMax
      while (!value.hasRoom() && performance.now() < endMs) await sleep(20)
    },
    /** Counts channels whose job has just been enqueued to run at once, until it has ended. */
    add(channels: number, ended: () => Promise<void>): void {
      open += channels
      unwatched += channels
      const startMs = performance.now()
      if (unwatched < watchFrom && startMs < watchedAtMs + watchEveryMs) return
      const watched = unwatched
      unwatched = 0
      watchedAtMs = startMs
      // A run that is not awaited any longer waits for something else than the engine, so it takes no room.
      const took = ended().then(
        () => performance.now() - startMs,
        () => Infinity,
      )
      void took.then((tookMs) => end(watched, tookMs))
    },
  }
  return { value }
}

export function engineWindow(ctx: Context) {
  return ctx.resources.get(createEngineWindow, ctx)
}
