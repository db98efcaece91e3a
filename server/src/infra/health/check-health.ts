import type { Context } from '../../context.ts'
import { cellStatus, type CellStatus } from '../cell/cell-status.ts'
import { choreMsMax } from '../chores/chore.store.ts'
import { loopMsMax, type LoopStatus } from '../engine/run-loop.ts'
import { isDatabaseUp, readHeartbeatAgeMs, readPipelineStatus, type PipelineStatus } from './heartbeat.store.ts'
import { processState } from './process-state.ts'

/** A worker sends a heartbeat through the engine every 8 s. Without one for this long, no post would go out. */
const heartbeatWithinMs = 30_000
const overdueSecondsMax = 60
/** A restart of the workers, as in an upgrade, is shorter. */
const workerGoneMs = 60_000
/** Shorter than the timeout of a usual probe, so that the answer names the problem. */
const databaseMs = 4_000

export type Health = { isHealthy: boolean; body: Record<string, unknown> }

/** The process runs. It says nothing about what the process depends on: restarting it would not repair those. */
export function checkLive(): Health {
  return { isHealthy: true, body: { status: 'ok' } }
}

/** The process can accept requests or work: it is not stopping, and the database answers. For balancers and readiness probes. */
export async function checkAccepting(ctx: Context): Promise<Health> {
  const isUp = await answersInTime(isDatabaseUp(ctx.db.system))
  const problems = [...drainProblems(ctx), ...(isUp ? [] : [databaseDown])]
  const isHealthy = problems.length === 0
  return { isHealthy, body: { status: isHealthy ? 'accepting' : 'not_accepting', problems } }
}

/** A post accepted now would go out on time. For alerts. */
export async function checkReady(ctx: Context): Promise<Health> {
  const [pipeline, cell] = await Promise.all([answersInTime(readPipelineStatus(ctx.db.system)), answersInTime(cellStatus(ctx))])
  const problems = [
    ...drainProblems(ctx),
    ...(pipeline === null ? [databaseDown] : pipelineProblems(pipeline)),
    ...(cell ? cellProblems(cell) : []),
    ...processState(ctx).loops.flatMap((loop) => loopProblems(loop)),
  ]
  const isHealthy = problems.length === 0
  const ageMs = pipeline?.heartbeatAgeMs ?? null
  const body = {
    status: isHealthy ? 'ready' : 'not_ready',
    problems,
    notices: pipeline ? pipelineNotices(pipeline) : [],
    database: pipeline === null ? 'down' : 'up',
    cell: cell?.status ?? null,
    workerSeenMsAgo: ageMs === null ? null : Math.round(ageMs),
  }
  return { isHealthy, body }
}

/** Why posts are accepted and not sent: no worker runs, or the database is fenced. */
export type Obstacle = 'worker' | 'fence'

/** For people, who can only wait or tell somebody: null while posts go out, and while nobody can tell. */
export async function findObstacle(ctx: Context): Promise<Obstacle | null> {
  const found = await answersInTime(Promise.all([readHeartbeatAgeMs(ctx.db.system), cellStatus(ctx)]))
  if (found === null) return null
  const [heartbeatAgeMs, { status }] = found
  if (status === 'fenced') return 'fence'
  return heartbeatAgeMs === null || heartbeatAgeMs > workerGoneMs ? 'worker' : null
}

const databaseDown = 'The database does not answer.'

function drainProblems(ctx: Context): string[] {
  return processState(ctx).isDraining ? ['This process is stopping.'] : []
}

function pipelineProblems(pipeline: PipelineStatus): string[] {
  const { heartbeatAgeMs, overdue, oldestOverdueSeconds, overdueWorkspaces, stuck } = pipeline
  const problems: string[] = []
  if (heartbeatAgeMs === null) problems.push('No worker has sent a heartbeat through the engine yet.')
  else if (heartbeatAgeMs > heartbeatWithinMs)
    problems.push(`No heartbeat came back through the engine for ${seconds(heartbeatAgeMs)} s.`)
  if (oldestOverdueSeconds > overdueSecondsMax)
    problems.push(
      `A post is ${Math.round(oldestOverdueSeconds)} s past its time and has not been sent. Late are ${overdue} channels of ${overdueWorkspaces} workspaces.`,
    )
  if (stuck > 0) problems.push(`${stuck} channels in progress should have been looked at a minute ago.`)
  return problems
}

/** What an operator should know although posts accepted now go out on time. */
function pipelineNotices({ unknownPlatforms, chores }: PipelineStatus): string[] {
  const unknown = unknownPlatforms.map(
    ({ platform, number }) =>
      `${number} due channels are of the platform "${platform}", which this release does not know. They wait for a release that does.`,
  )
  const stopped = chores.filter((chore) => chore.ageMs > choreMsMax(chore))
  return [...unknown, ...stopped.map(({ name, ageMs }) => `The chore "${name}" has not succeeded for ${seconds(ageMs)} s.`)]
}

function cellProblems({ status, reason }: CellStatus): string[] {
  if (status === 'fenced') return [`The database is fenced, so nothing is sent: ${reason}.`]
  if (status === 'unchecked') return ['No worker has compared the database with its witness lately, so nothing is sent.']
  return []
}

function loopProblems(loop: LoopStatus): string[] {
  const silentMs = performance.now() - (loop.lastSuccessAtMs ?? loop.startedAtMs)
  if (silentMs <= loopMsMax(loop)) return []
  return [`The loop "${loop.name}" has not succeeded for ${seconds(silentMs)} s.`]
}

function seconds(ms: number): number {
  return Math.round(ms / 1000)
}

/** The answer, or null if it failed or took too long. */
async function answersInTime<T>(answer: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), databaseMs)
  try {
    return await Promise.race([answer, late])
  } catch {
    return null
  } finally {
    clearTimeout(timer)
  }
}
