import { queryOptions } from '@tanstack/react-query'
import { send } from './send.ts'

export type HourOfSends = { at: string | null; sends: number; median: number | null; p95: number | null; p99: number | null }
export type PlatformOutcome = { outcome: 'published' | 'failed' | 'unconfirmed'; code: string | null; number: number }
export type OperatorPlatform = {
  platform: string
  accounts: number
  needReconnect: number
  expiring: number
  outcomes: PlatformOutcome[]
}
export type LoopFigures = {
  name: string
  everySeconds: number
  ageSeconds: number
  allowedSeconds: number
  failedPasses: number
}
/** A task that the engine repeats for the whole installation, and its last pass. */
export type ChoreFigures = LoopFigures & {
  outcome: 'done' | 'failed' | 'abandoned' | 'interrupted'
  durationSeconds: number
  /** Until the next pass; negative if it is late. */
  nextSeconds: number
}
export type PoolFigures = { pool: 'tenant' | 'system'; max: number; open: number; idle: number; waiting: number }

/** What waits in the database, and since when. */
export type QueueFigures = {
  ageSeconds: number
  heartbeatAgeSeconds: number | null
  isFenced: boolean
  isUnchecked: boolean
  oldestOverdueSeconds: number
  overdue: number
  inProgress: number
  stuck: number
  unknownPlatform: number
  eventsWaiting: number
  eventsOldestSeconds: number
  deliveriesWaiting: number
  deliveriesInProgress: number
  mailsWaiting: number
  mailsOldestSeconds: number
}

/** How the whole installation is doing. A part is null if the database did not answer. */
export type OperatorFigures = {
  isDatabaseUp: boolean
  isEngineUp: boolean
  queues: QueueFigures | null
  platforms: OperatorPlatform[] | null
  day: { results: number; isCut: boolean; total: HourOfSends | null; hours: HourOfSends[] } | null
  chores: ChoreFigures[] | null
  process: { isDraining: boolean; loops: LoopFigures[]; pools: PoolFigures[] }
}

/** The files of all workspaces, and the workspaces that store most. */
export type StorageTotals = {
  totalBytes: number
  workspaces: number
  /** The limit of all workspaces together, if there is one. */
  limitBytes: number | null
  largest: { workspaceId: string; bytes: number; files: number }[]
}

/** Whether the person is an operator of this installation. */
export function operatorAccess() {
  return queryOptions({
    queryKey: ['operator.access'],
    queryFn: async ({ signal }) => (await send<{ isOperator: boolean }>('/operator/access', { signal })).isOperator,
    staleTime: 600_000,
  })
}

/** The figures of the installation, read again every ten seconds while they are shown. */
export function operatorFigures() {
  return queryOptions({
    queryKey: ['operator.figures'],
    queryFn: ({ signal }) => send<OperatorFigures>('/operator/figures', { signal }),
    refetchInterval: 10_000,
  })
}

/** Null if the database had more to read than the time allows. */
export function operatorStorage() {
  return queryOptions({
    queryKey: ['operator.storage'],
    queryFn: ({ signal }) => send<StorageTotals | null>('/operator/storage', { signal }),
    staleTime: 60_000,
  })
}

/** What keeps accepted posts from being sent, if anything does. It belongs to the server of the workspace. */
export function publishingObstacle(workspaceId: string) {
  return queryOptions({
    queryKey: ['health.publishing', workspaceId],
    queryFn: async ({ signal }) =>
      (await send<{ obstacle: 'worker' | 'fence' | null }>('/health/publishing', { workspaceId, signal })).obstacle,
    refetchInterval: 60_000,
  })
}
