import type { Instant } from './columns.ts'

export type AuditEntryTable = {
  workspace_id: string
  id: string
  at: Instant
  person_id: string | null
  api_key_id: string | null
  action: string
  subject_id: string | null
  trace_id: string
}

export type AccountEntryTable = {
  person_id: string
  id: string
  at: Instant
  action: string
  detail: string | null
  ip_address: string | null
  user_agent: string | null
  trace_id: string
}

export type AuditLinkTable = { chain: string; position: string; entry_id: string; linked_at: Instant; hash: Buffer }

/** The end of a chain, or its start. */
export type AuditMarkTable = { chain: string; position: string; hash: Buffer; key_id: string; mac: Buffer }
