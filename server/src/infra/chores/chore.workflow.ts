import { object, service, type Context as Run, type ObjectContext } from '@restatedev/restate-sdk'
import type { Job } from '../engine/engine.ts'
import { jobFactory, type HandlersOf } from '../engine/job-factory.ts'
import { enqueueAll, retryPolicy } from '../engine/retry-policy.ts'

/** The names are part of the data that the engine stores. */
const timerName = 'chore'
const passName = 'chorePass'

/** Makes one pass of a chore, and says when the next one is due; null for a chore that this release does not have. */
type Passes = { pass(name: string): Promise<number | null> }

type TimerJobs = {
  /** Starts the timer, unless it runs. */
  start: { lateMs: number }
  /** A pass has ended. */
  next: { turn: string; waitMs: number }
}
type PassJobs = { run: { name: string; turn: string } }

type Turn = { turn: string; dueAtMs: number }

const timerJobs = jobFactory<TimerJobs>(timerName)
const passJobs = jobFactory<PassJobs>(passName)

/** `lateMs`: so long after its time, a pass that did not end counts as lost, and another one is enqueued. */
export const startChoreJob = (name: string, lateMs: number): Job => timerJobs('start', { lateMs }, { key: name })

/**
 * Nothing of these runs is needed once they have ended. A run that cannot go on, because the workers of its release are gone, is ended after
 * a quarter of an hour: its release can be removed then, and the timer has been started again long before.
 */
const options = {
  retryPolicy: { ...retryPolicy, maxAttempts: 200 },
  journalRetention: 0,
  idempotencyRetention: 60_000,
}

/**
 * One timer for each chore, by its name. It only decides when the next pass is due, which takes no time, so it is never held. Each pass has
 * the number of its turn, and only the current one moves the timer on: however often it is started, there is one timer.
 */
function choreTimer() {
  const handlers: HandlersOf<TimerJobs, ObjectContext> = {
    start: async (run, { lateMs }) => {
      const current = await run.get<Turn>('turn')
      const nowMs = await run.date.now()
      if (current && nowMs <= current.dueAtMs + lateMs) return
      take(run, nowMs, 0)
    },
    next: async (run, { turn, waitMs }) => {
      const current = await run.get<Turn>('turn')
      if (current?.turn === turn) take(run, await run.date.now(), waitMs)
    },
  }
  return object({ name: timerName, handlers, options })
}

function take(run: ObjectContext, nowMs: number, waitMs: number): void {
  const turn = run.rand.uuidv4()
  run.set('turn', { turn, dueAtMs: nowMs + waitMs })
  // A run of its own for each pass: it begins on the newest release, whichever release ended the pass before.
  enqueueAll(run, [passJobs('run', { name: run.key, turn }, { delayMs: waitMs })])
}

function chorePass(chores: Passes) {
  const handlers: HandlersOf<PassJobs, Run> = {
    run: async (run, { name, turn }) => {
      const waitMs = await run.run('pass', () => chores.pass(name))
      // A chore of another release ends here. That release starts it again.
      if (waitMs !== null) enqueueAll(run, [timerJobs('next', { turn, waitMs }, { key: name })])
    },
  }
  // A pass may take ten minutes. The engine must not take it for a call that hangs.
  return service({ name: passName, handlers, options: { ...options, abortTimeout: 900_000 } })
}

export function choreWorkflows(chores: Passes) {
  return [choreTimer(), chorePass(chores)] as const
}
