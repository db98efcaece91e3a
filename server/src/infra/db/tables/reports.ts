import type { ReportLanguage } from '@carillon/contract'
import type { Instant } from './columns.ts'

export type ClientReportTable = {
  workspace_id: string
  id: string
  token_hash: Buffer
  token_sealed: Buffer
  title: string
  /** A day as `YYYY-MM-DD`. Reading it needs `dayText`. */
  first_day: string
  last_day: string
  label_id: string | null
  /** Null: all accounts. */
  connection_ids: string[] | null
  language: ReportLanguage
  /** Who made it. The person may not exist any more. */
  person_id: string
  api_key_id: string | null
  created_at: Instant
  expires_at: Instant
}
