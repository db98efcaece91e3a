import type { MediaTraits } from '@carillon/core'
import type { MediaType } from '@carillon/contract'
import type { ColumnType, Generated } from 'kysely'
import type { Instant, Json, MaybeInstant } from './columns.ts'

export type MediaTable = {
  workspace_id: string
  id: string
  name: string
  type: MediaType
  mime_type: string
  /** A bigint, which pg returns as text. */
  size_bytes: ColumnType<string, number, number>
  sha256: Buffer
  width: number | null
  height: number | null
  duration_seconds: number | null
  pages: number | null
  traits: Json<MediaTraits>
  storage_key: string
  thumbnail_key: string | null
  tags: Generated<string[]>
  folder_id: string | null
  alt: Generated<string>
  description: Generated<string>
  created_at: Instant
  updated_at: Instant
}

export type MediaFolderTable = { workspace_id: string; id: string; name: string; created_at: Instant; updated_at: Instant }

export type PostMediaTable = {
  workspace_id: string
  post_id: string
  connection_slug: Generated<string>
  position: number
  media_id: string
  alt: string | null
}

export type MediaUploadTable = {
  workspace_id: string
  id: string
  name: string
  size_bytes: ColumnType<string, number, number>
  part_size_bytes: number
  storage_key: string
  store_upload_id: string
  expires_at: Instant
  created_at: Instant
}

export type UploadTicketTable = {
  workspace_id: string
  id: string
  person_id: string
  key_workspace_id: string | null
  api_key_id: string | null
  token_hash: Buffer
  size_bytes_max: ColumnType<string, number | string, never>
  alt: string
  expires_at: Instant
  claimed_until: MaybeInstant
  used_at: MaybeInstant
  media_id: string | null
  created_at: Instant
}

export type RenditionTable = {
  workspace_id: string
  media_id: string
  rules_hash: string
  storage_key: string
  mime_type: string
  size_bytes: ColumnType<string, number, number>
  width: number | null
  height: number | null
  duration_seconds: number | null
  changes: Json<string[]>
  created_at: Instant
}

export type StorageRemovalTable = { workspace_id: string; key: string; due_at: Instant }
