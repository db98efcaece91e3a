import type { Context } from '../../context.ts'
import { type Tx, withStatementLimit } from '../../infra/db/db.ts'
import { choreMsMax } from '../../infra/chores/chore.store.ts'
import { loopMsMax } from '../../infra/engine/run-loop.ts'
import { processState } from '../../infra/health/process-state.ts'
import { readFigureStatus, type Reading } from '../../infra/metrics/collect-figures.ts'
import {
  countConnections,
  readRecentResults,
  resultsMax,
  sumAllStorage,
  type HourOfSends,
  type RecentResults,
  type StorageTotals,
} from './operator.store.ts'

/** Several open pages cost the database one reading in this time. */
const cacheMs = 10_000
/** This reads the sizes of all files, and they change slowly. */
const storageCacheMs = 60_000
const statementMs = 3_000
const hourMs = 3_600_000
const hoursShown = 24

type Results = RecentResults & { connections: { platform: string; number: number }[] }

function createCache<T>(forMs: number, read: (tx: Tx) => Promise<T>) {
  let current: { startedMs: number; result: Promise<T | null> } | null = null
  return {
    value: (ctx: Context): Promise<T | null> => {
      const nowMs = performance.now()
      if (!current || nowMs - current.startedMs > forMs) current = { startedMs: nowMs, result: readInTime(ctx, read) }
      return current.result
    },
  }
}

/** Null if the database does not answer, or has more to read than the time allows. */
async function readInTime<T>(ctx: Context, read: (tx: Tx) => Promise<T>): Promise<T | null> {
  try {
    return await withStatementLimit(ctx.db.system, statementMs, read)
  } catch (error) {
    ctx.log.warn({ err: error }, 'the figures for the operator could not be read from the database')
    return null
  }
}

function createResultsCache() {
  return createCache<Results>(cacheMs, async (tx) => ({
    ...(await readRecentResults(tx)),
    connections: await countConnections(tx),
  }))
}

function createStorageCache({ config: { quotas } }: Context) {
  const limitBytes = Number.isFinite(quotas.storageBytesTotal) ? quotas.storageBytesTotal : null
  return createCache<StorageTotals>(storageCacheMs, async (tx) => ({ ...(await sumAllStorage(tx)), limitBytes }))
}

/**
 * The files of all workspaces, and the workspaces that store most. They are named by their ids only, which the commands of the server
 * take: an operator has no need to read what workspaces are called.
 */
export function readStorageTotals(ctx: Context): Promise<StorageTotals | null> {
  return ctx.resources.get(createStorageCache, ctx)(ctx)
}

/** The figures of `/metrics` for a person, and how the last 24 hours went. They name no workspace and no account. */
export async function readOperatorFigures(ctx: Context) {
  const [{ reading, isDatabaseUp, isEngineUp }, results] = await Promise.all([
    readFigureStatus(ctx),
    ctx.resources.get(createResultsCache, ctx)(ctx),
  ])
  return {
    isDatabaseUp,
    isEngineUp,
    queues: reading && { ...reading.figures, ageSeconds: (performance.now() - reading.atMs) / 1000 },
    platforms: results && reading && platformRows(results, reading),
    day: results && {
      results: results.results,
      isCut: results.results === resultsMax,
      total: results.hours.find(({ at }) => at === null) ?? null,
      hours: fillHours(results.hours, ctx.nowMs()),
    },
    chores: reading && describeChores(reading),
    process: describeProcess(ctx),
  }
}

/** What the engine repeats for the whole installation, whichever process answers. */
function describeChores({ chores, atMs }: Reading) {
  const sinceMs = performance.now() - atMs
  return chores.map((chore) => ({
    name: chore.name,
    everySeconds: chore.everyMs / 1000,
    ageSeconds: (chore.ageMs + sinceMs) / 1000,
    allowedSeconds: choreMsMax(chore) / 1000,
    failedPasses: chore.failedPasses,
    outcome: chore.outcome,
    durationSeconds: chore.durationMs / 1000,
    nextSeconds: (chore.nextInMs - sinceMs) / 1000,
  }))
}

function platformRows({ outcomes, connections }: Results, { connections: { needReconnect, expiring } }: Reading) {
  const names = new Set([...connections, ...outcomes, ...needReconnect, ...expiring].map(({ platform }) => platform))
  const numberOf = (counts: readonly { platform: string; number: number }[], platform: string) =>
    counts.find((each) => each.platform === platform)?.number ?? 0
  return [...names].toSorted().map((platform) => ({
    platform,
    accounts: numberOf(connections, platform),
    needReconnect: numberOf(needReconnect, platform),
    expiring: numberOf(expiring, platform),
    outcomes: outcomes
      .filter((each) => each.platform === platform)
      .map(({ outcome, code, number }) => ({ outcome, code, number })),
  }))
}

/** One entry for each of the last 24 hours, the current one included, also where nothing was sent. */
function fillHours(hours: readonly HourOfSends[], nowMs: number): HourOfSends[] {
  const known = new Map(hours.flatMap((hour) => (hour.at === null ? [] : [[Date.parse(hour.at), hour] as const])))
  const last = Math.floor(nowMs / hourMs) * hourMs
  return Array.from({ length: hoursShown }, (_, index) => {
    const startMs = last - (hoursShown - 1 - index) * hourMs
    const { sends = 0, median = null, p95 = null, p99 = null } = known.get(startMs) ?? {}
    return { at: new Date(startMs).toISOString(), sends, median, p95, p99 }
  })
}

/** What only the process that answers knows. An API process has no loops: they run in the workers. */
function describeProcess(ctx: Context) {
  const { loops, isDraining } = processState(ctx)
  const nowMs = performance.now()
  return {
    isDraining,
    loops: loops.map((loop) => ({
      name: loop.name,
      everySeconds: loop.everyMs / 1000,
      ageSeconds: (nowMs - (loop.lastSuccessAtMs ?? loop.startedAtMs)) / 1000,
      allowedSeconds: loopMsMax(loop) / 1000,
      failedPasses: loop.failedPasses,
    })),
    pools: ctx.db.pools(),
  }
}
