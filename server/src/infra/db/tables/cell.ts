import type { Generated } from 'kysely'
import type { Instant, MaybeInstant } from './columns.ts'

export type CellTable = {
  id: Generated<number>
  epoch: Generated<number>
  /** A bigint, which PostgreSQL's driver gives as text. */
  beat: Generated<string>
  beat_at: MaybeInstant
  open_until: Instant
  open_on: MaybeInstant
  fenced_at: MaybeInstant
  fence_reason: string | null
  lost_from: MaybeInstant
  lost_until: MaybeInstant
  restored_at: MaybeInstant
  operator_id: string | null
}

export type WorkspaceMoveTable = {
  id: string
  state: 'leaving' | 'closing' | 'parked' | 'moved' | 'arriving' | 'arrived'
  cell: number
  secret_hashes: Generated<Buffer[]>
  changed_at: Generated<Date>
}
