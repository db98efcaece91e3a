import type { QueueSlot } from '@carillon/contract'
import type { Instant, Json } from './columns.ts'

export type QueueTable = {
  workspace_id: string
  id: string
  name: string
  /** Null: that of the workspace. */
  timezone: string | null
  slots: Json<QueueSlot[]>
  created_at: Instant
  updated_at: Instant
}

/** A post that waits in a slot. */
export type QueuePlaceTable = { workspace_id: string; queue_id: string; timezone: string; wall: string; post_id: string }
