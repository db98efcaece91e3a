import type { Context } from '../../context.ts'
import { choreMsMax, type ChoreStatus, listChores } from '../chores/chore.store.ts'
import { type Db, withStatementLimit } from '../db/db.ts'
import type { WaitingReason } from '../db/tables/posts.ts'
import { findUnknownPlatforms } from '../db/known-platforms.store.ts'
import {
  type ConnectionFigures,
  type Figures,
  type PlatformCount,
  countWaiting,
  readConnectionFigures,
  readFigures,
} from './overdue.store.ts'
import { getMetrics, type Metrics } from './get-metrics.ts'
import { isEngineUp } from '../engine/call-admin.ts'

const waitingReasons: readonly WaitingReason[] = ['rate_limit', 'reconnect', 'platform_unavailable']
/** Several scrapers, or a person who reloads, cost the database one reading in this time. */
const cacheMs = 5_000
const statementMs = 2_000
/** Less than a scraper waits (10 s by default), so that it still gets the metrics of the process. */
const waitMs = 4_000

export type Reading = {
  atMs: number
  figures: Figures & { unknownPlatform: number }
  waiting: readonly { reason: string; number: number }[]
  connections: ConnectionFigures
  chores: readonly ChoreStatus[]
}
export type FigureStatus = { reading: Reading | null; isEngineUp: boolean; isDatabaseUp: boolean }

function createFigureCache() {
  let current: { startedMs: number; status: Promise<FigureStatus> } | null = null
  let last: Reading | null = null
  const read = async (ctx: Context): Promise<FigureStatus> => {
    const [engine, reading] = await Promise.all([isEngineUp(ctx.config.restateIngressUrl), readInTime(ctx)])
    last = reading ?? last
    return { reading: last, isEngineUp: engine, isDatabaseUp: reading !== null }
  }
  return {
    value: (ctx: Context): Promise<FigureStatus> => {
      const nowMs = performance.now()
      if (!current || nowMs - current.startedMs > cacheMs) current = { startedMs: nowMs, status: read(ctx) }
      return current.status
    },
  }
}

/** What the database and the engine say, at most five seconds old. Without an answer it is the last reading that there was. */
export function readFigureStatus(ctx: Context): Promise<FigureStatus> {
  return ctx.resources.get(createFigureCache, ctx)(ctx)
}

/** Sets the metrics that come from the database and the engine. Without an answer, the last values stay and their age grows. */
export async function collectFigures(ctx: Context): Promise<void> {
  const metrics = getMetrics(ctx)
  const { reading, isEngineUp: engine, isDatabaseUp } = await readFigureStatus(ctx)
  metrics.databaseUp.set(isDatabaseUp ? 1 : 0)
  metrics.engineUp.set(engine ? 1 : 0)
  if (!reading) return
  metrics.figuresAge.set((performance.now() - reading.atMs) / 1000)
  setFigures(metrics, reading.figures)
  setChores(metrics, reading.chores)
  for (const reason of waitingReasons) metrics.waiting.set({ reason }, 0)
  for (const { reason, number } of reading.waiting) metrics.waiting.set({ reason }, number)
  const platforms = Object.keys(ctx.connectors)
  setPlatforms(metrics.needReconnect, platforms, reading.connections.needReconnect)
  setPlatforms(metrics.expiring, platforms, reading.connections.expiring)
}

function sum(counts: readonly { number: number }[]): number {
  return counts.reduce((total, { number }) => total + number, 0)
}

function setFigures(metrics: Metrics, figures: Reading['figures']): void {
  if (figures.heartbeatAgeSeconds !== null) metrics.heartbeatAge.set(figures.heartbeatAgeSeconds)
  metrics.fenced.set(figures.isFenced ? 1 : 0)
  metrics.unchecked.set(figures.isUnchecked ? 1 : 0)
  metrics.epoch.set(figures.epoch)
  metrics.oldestOverdue.set(figures.oldestOverdueSeconds)
  metrics.overdue.set(figures.overdue)
  metrics.overdueWorkspaces.set(figures.overdueWorkspaces)
  metrics.preparing.set(figures.preparing)
  metrics.inDoubt.set(figures.inDoubt)
  metrics.unknownPlatform.set(figures.unknownPlatform)
  metrics.inProgress.set(figures.inProgress)
  metrics.stuck.set(figures.stuck)
  metrics.eventsWaiting.set(figures.eventsWaiting)
  metrics.eventsOldest.set(figures.eventsOldestSeconds)
  metrics.deliveriesWaiting.set(figures.deliveriesWaiting)
  metrics.deliveriesInProgress.set(figures.deliveriesInProgress)
  metrics.mailsWaiting.set(figures.mailsWaiting)
  metrics.mailsOldest.set(figures.mailsOldestSeconds)
}

/** A chore that no release has any more is not reported any more. */
function setChores(metrics: Metrics, chores: readonly ChoreStatus[]): void {
  const { choreAge, choreAllowedAge, choreDuration, choreNext, choreFailures } = metrics
  for (const gauge of [choreAge, choreAllowedAge, choreDuration, choreNext, choreFailures]) gauge.reset()
  for (const chore of chores) {
    const labels = { chore: chore.name }
    choreAge.set(labels, chore.ageMs / 1000)
    choreAllowedAge.set(labels, choreMsMax(chore) / 1000)
    choreDuration.set(labels, chore.durationMs / 1000)
    choreNext.set(labels, chore.nextInMs / 1000)
    choreFailures.set(labels, chore.failedPasses)
  }
}

/** A platform without such accounts reports 0: a rule can compare the number with an earlier one only if there is one. */
function setPlatforms(gauge: Metrics['needReconnect'], platforms: readonly string[], counts: readonly PlatformCount[]): void {
  for (const platform of platforms) gauge.set({ platform }, 0)
  for (const { platform, number } of counts) gauge.set({ platform }, number)
}

/** Null if the database does not answer in time. A connection may have to be waited for, which no statement limit covers. */
async function readInTime(ctx: Context): Promise<Reading | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), waitMs)
  const reading = withStatementLimit(ctx.db.system, statementMs, async (db: Db) => ({
    figures: { ...(await readFigures(db)), unknownPlatform: sum(await findUnknownPlatforms(db)) },
    waiting: await countWaiting(db),
    connections: await readConnectionFigures(db),
    chores: await listChores(db),
    atMs: performance.now(),
  }))
  try {
    return await Promise.race([reading, late.promise])
  } catch (error) {
    ctx.log.warn({ err: error }, 'the figures for the metrics could not be read from the database')
    return null
  } finally {
    clearTimeout(timer)
    reading.catch(() => {})
  }
}
