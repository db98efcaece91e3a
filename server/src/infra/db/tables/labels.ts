import type { LabelKind, MarkColor } from '@carillon/contract'
import type { Instant } from './columns.ts'

export type LabelTable = {
  workspace_id: string
  id: string
  name: string
  color: MarkColor
  kind: LabelKind
  /** A day as `YYYY-MM-DD`. Reading it needs `dayText`. */
  starts_on: string | null
  ends_on: string | null
  created_at: Instant
  updated_at: Instant
}

export type PostLabelTable = { workspace_id: string; label_id: string; post_id: string }

export type NoteTable = {
  workspace_id: string
  id: string
  starts_on: string
  ends_on: string
  text: string
  color: MarkColor
  /** Who wrote it. The person may not exist any more. */
  person_id: string
  created_at: Instant
  updated_at: Instant
}
