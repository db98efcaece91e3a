import type { Metric } from '@carillon/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Instant, MaybeInstant } from './columns.ts'

/** Metrics are bigints, which pg returns as text. */
type FigureColumns = Record<Metric, string | null>

export type ChannelMetricTable = FigureColumns & {
  workspace_id: string
  channel_id: string
  platform: string
  published_at: Instant
  asked_at: Instant
  collected_at: MaybeInstant
}

export type MetricDayTable = FigureColumns & { workspace_id: string; channel_id: string; day: ColumnType<string, string, string> }

/** Followers are bigints, which pg returns as text. */
export type FollowerDayTable = {
  workspace_id: string
  connection_id: string
  day: ColumnType<string, string, string>
  followers: string | null
}

/** The past days of a channel, packed into one text. */
export type MetricHistoryTable = { workspace_id: string; channel_id: string; days: string }

export type MetricPullTable = {
  workspace_id: string
  connection_id: string
  platform: string
  due_at: MaybeInstant
  handed_at: MaybeInstant
  held_until: MaybeInstant
  wanted_at: MaybeInstant
  failures: Generated<number>
  generation: Generated<number>
}
