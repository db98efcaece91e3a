import type { EventName } from '@carillon/contract'
import type { Generated } from 'kysely'
import type { Instant } from './columns.ts'

export type IdempotencyTable = {
  workspace_id: string
  caller: string
  route: string
  key: string
  request_hash: Buffer
  status: number
  body_sealed: Buffer
  created_at: Instant
}

export type OutboxEventTable = {
  id: Generated<string>
  workspace_id: string
  /** The name of an event, or of a change that only open pages are told about. */
  event: string
  post_id: string | null
  channel_id: string | null
  connection_id: string | null
  subject_id: string | null
  person_id: string | null
  at: Instant
}

/** `id` is a bigint, which pg returns as text. */
export type EventLogTable = {
  workspace_id: string
  id: string
  event: EventName
  post_id: string | null
  channel_id: string | null
  connection_id: string | null
  at: Instant
}

export type LiveEventTable = { id: Generated<string>; workspace_id: string; event: string; data: string; at: Generated<Instant> }
