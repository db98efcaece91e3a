import type { ErrorCode, OccurrenceState, SeriesContent, SeriesRule, SeriesState, SeriesVariant } from '@carillon/contract'
import type { Instant, Json, MaybeInstant } from './columns.ts'

export type SeriesTable = {
  workspace_id: string
  id: string
  name: string
  rule: Json<SeriesRule>
  content: Json<SeriesContent>
  variants: Json<SeriesVariant[]>
  state: SeriesState
  approval: 'none' | 'pending' | 'approved'
  /** The hash of what waits for approval, or was approved. */
  revision: string | null
  /** Who answers for its posts. */
  person_id: string
  api_key_id: string | null
  begins_at: Instant
  /** All dates up to this one are decided. */
  decided_until: string
  decided: number
  /** Posts that were counted and taken back unsent. */
  taken_back: number
  look_at: MaybeInstant
  created_at: Instant
  updated_at: Instant
}

/** A date of a series that is decided: by a post, or otherwise. */
export type SeriesDateTable = {
  workspace_id: string
  series_id: string
  date: string
  number: number
  at: Instant
  next_at: MaybeInstant
  state: Exclude<OccurrenceState, 'scheduled' | 'removed'>
  post_id: string | null
  revision: string | null
  code: ErrorCode | null
  message: string | null
}
