import type { Context } from '../../context.ts'
import { newUuid } from '../db/ids.ts'
import { DeadlineExceeded, withinDeadline } from '../engine/run-loop.ts'
import { type ChoreOutcome, type EndedPass, listChores, savePass } from './chore.store.ts'
import { startChoreJob } from './chore.workflow.ts'

export type Chore = {
  name: string
  everyMs: number
  /** A pass that takes longer is abandoned. It may still end later, beside the next one, so passes must be safe beside each other. */
  deadlineMs: number
  /** Does some work; true means there may be more at once. */
  work(): Promise<boolean>
}

export type ChoreRunner = {
  /** Makes one pass. Says when the next one is due; null for a chore that this release does not have. Never fails. */
  pass(name: string): Promise<number | null>
  /** Starts the timers that do not run. Starting one that runs changes nothing. */
  start(): Promise<void>
  /** Starts those again whose next pass did not come, for example because the engine lost its data. */
  watch(): Promise<void>
  /** From now on no pass begins and no run waits for one. Resolves when the passes of this process have ended. */
  stop(): Promise<void>
}

/** After a pass that failed or that was interrupted by the end of its process. */
const retryMsMax = 60_000
const interruptedMs = 2_000
/** A backlog is worked off without a pause, but the engine's runs are not repeated in a tight loop. */
const moreMs = 100
/** How late a pass may begin, because the workers restart or the engine is slow, before its timer is started again. */
const lateMsMin = 60_000
/** Of a chore that runs every few seconds, not each success is worth a statement. */
const savedEveryMs = 15_000
/** Passes of chores in this process. The engine says when: one pass at a time for each chore, however many workers there are. */
export function createChores(ctx: Context, chores: readonly Chore[]): ChoreRunner {
  const { log } = ctx
  const byName = new Map(chores.map((chore) => [chore.name, chore]))
  const stopping = Promise.withResolvers<'interrupted'>()
  const running = new Set<Promise<void>>()
  let isStopped = false

  const makePass = async (chore: Chore): Promise<{ outcome: ChoreOutcome; hasMore: boolean }> => {
    if (isStopped) return { outcome: 'interrupted', hasMore: false }
    // Begun here, so that a chore that fails before its first wait fails like any other.
    const work = (async () => chore.work())()
    const ended = work.then(
      () => {},
      () => {},
    )
    running.add(ended)
    void ended.then(() => running.delete(ended))
    try {
      const result = await Promise.race([withinDeadline(work, chore.deadlineMs), stopping.promise])
      return result === 'interrupted' ? { outcome: result, hasMore: false } : { outcome: 'done', hasMore: result }
    } catch (error) {
      const isAbandoned = error instanceof DeadlineExceeded
      // Nothing waits for it any more, so that a pass that hangs does not delay the end of the process.
      running.delete(ended)
      const fields = { chore: chore.name, ...(isAbandoned ? { deadlineMs: chore.deadlineMs } : { err: error }) }
      log.error(fields, isAbandoned ? 'a pass of a chore took too long; abandoned' : 'a pass of a chore failed; it runs again')
      return { outcome: isAbandoned ? 'abandoned' : 'failed', hasMore: false }
    }
  }
  const savedAtMs = new Map<string, number>()
  const isWorthSaving = (outcome: ChoreOutcome, name: string) =>
    !isStopped && (outcome !== 'done' || performance.now() - (savedAtMs.get(name) ?? -Infinity) > savedEveryMs)
  const save = async (pass: EndedPass) => {
    try {
      await savePass(ctx.db.system, pass)
      if (pass.outcome === 'done') savedAtMs.set(pass.name, performance.now())
      else savedAtMs.delete(pass.name)
    } catch (error) {
      // While the database is away nothing can be said about the pass, but the timer goes on.
      log.warn({ err: error, chore: pass.name }, 'what became of a pass of a chore could not be stored')
    }
  }
  const startAll = async (names: readonly string[]) => {
    const timers = names.flatMap((name) => byName.get(name) ?? [])
    const send = (chore: Chore) => ctx.engine.send(startChoreJob(chore.name, lateMsOf(chore)), newUuid())
    const refused = (await Promise.allSettled(timers.map((chore) => send(chore)))).find(({ status }) => status === 'rejected')
    if (refused?.status === 'rejected')
      log.warn({ err: refused.reason }, 'the timers of chores could not be started; they are started at a later heartbeat')
  }
  return {
    async pass(name) {
      const chore = byName.get(name)
      if (!chore) return null
      const beginMs = performance.now()
      const { outcome, hasMore } = await makePass(chore)
      const waitMs = waitAfter(chore, outcome, hasMore)
      const { everyMs, deadlineMs } = chore
      const pass = { name, everyMs, deadlineMs, durationMs: performance.now() - beginMs, outcome, waitMs }
      if (isWorthSaving(outcome, name)) await save(pass)
      return waitMs
    },
    start: () => startAll([...byName.keys()]),
    async watch() {
      const known = new Map((await listChores(ctx.db.system)).map((status) => [status.name, status]))
      const late = chores.filter((chore) => -(known.get(chore.name)?.nextInMs ?? -Infinity) > lateMsOf(chore))
      await startAll(late.map(({ name }) => name))
    },
    async stop() {
      isStopped = true
      stopping.resolve('interrupted')
      await Promise.all(running)
    },
  }
}

function waitAfter({ everyMs }: Chore, outcome: ChoreOutcome, hasMore: boolean): number {
  if (outcome === 'interrupted') return interruptedMs
  if (outcome !== 'done') return Math.min(everyMs, retryMsMax)
  return hasMore ? moreMs : everyMs
}

function lateMsOf({ deadlineMs }: Chore): number {
  return lateMsMin + deadlineMs
}
