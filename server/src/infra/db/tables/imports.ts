import type { ImportFormat, ImportPlacement, ImportRowStatus, PostType } from '@carillon/contract'
import type { Instant, Json } from './columns.ts'

export type PostImportTable = {
  workspace_id: string
  id: string
  name: string | null
  format: ImportFormat
  /** By the name of an account in the file: the slug of the connection that stands for it. */
  accounts: Json<Record<string, string>>
  /** A hash of the file. */
  fingerprint: Buffer
  person_id: string
  created_at: Instant
}

/** A row of a file, whichever tool wrote it. */
export type RowContent = {
  type: PostType
  /** As the file names them: slugs, or `platform/name` of another tool. */
  accounts: string[]
  state: 'draft' | 'scheduled' | 'published'
  /** The other fields of a new post, not yet checked. */
  fields: Record<string, unknown>
}

export type ImportRowTable = {
  workspace_id: string
  import_id: string
  number: number
  key: string
  content: Json<RowContent | null> | null
  status: ImportRowStatus
  placement: ImportPlacement | null
  post_id: string | null
  code: string | null
  message: string | null
  details: Json<{ path?: string; code?: string; message?: string }[] | null> | null
}

export type CalendarFeedTable = {
  workspace_id: string
  person_id: string
  token_hash: Buffer
  texts: boolean
  created_at: Instant
}

export type ImportedPostTable = { workspace_id: string; key: string; post_id: string }
