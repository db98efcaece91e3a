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
  event: EventName
  post_id: string | null
  channel_id: string | null
  connection_id: string | null
  at: Instant
}
