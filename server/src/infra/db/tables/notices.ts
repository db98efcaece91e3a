import type { EventName, NoticeMail } from '@carillon/contract'
import type { Generated } from 'kysely'
import type { Instant, MaybeInstant } from './columns.ts'

/** `started` is a bigint, which pg returns as text. */
export type NoticeTable = {
  workspace_id: string
  id: string
  /** A kind of the contract, or `event` for what only chats are told. */
  kind: string
  event: EventName | null
  cause: string
  started: string
  connection_id: string | null
  post_id: string | null
  person_id: string | null
  code: string | null
  count: number
  first_at: Instant
  last_at: Instant
  tell_at: MaybeInstant
  told: Generated<number>
  resolved_at: Generated<Date | null>
}

export type NoticeItemTable = { workspace_id: string; event_id: string; notice_id: string; subject: string }

export type NoticePersonTable = {
  workspace_id: string
  notice_id: string
  person_id: string
  read_at: MaybeInstant
  mail: Generated<'waits' | 'digest' | 'done'>
  mail_from: MaybeInstant
}

export type NoticeSettingTable = {
  person_id: string
  failures: NoticeMail | null
  connections: NoticeMail | null
  approvals: NoticeMail | null
  digest_hour: number | null
  timezone: string | null
  digested_at: MaybeInstant
}
