import type { ChannelError } from '@carillon/contract'
import type { WaitingReason } from '../../../infra/db/tables.ts'
import type { ChannelRef } from '../channel-ref.ts'

/** The result of one attempt at a channel. */
export type Result =
  | { kind: 'published'; postId: string | null; postUrl: string | null; warnings: readonly string[]; atMs: number }
  | { kind: 'processing'; reference: string; checkAfterMs: number }
  | { kind: 'failed'; error: ChannelError }
  /** Certainly not published; to be tried again, with a new token if `renew`. */
  | { kind: 'later'; atMs: number; error: ChannelError; renew: boolean; waiting: WaitingReason | null }
  /** It may have been published. */
  | { kind: 'unknown' }
  | { kind: 'unconfirmed'; error: ChannelError }

/** A channel with a result that can be stored. `isolated`: on a server that a user chose, so it shares no transaction with other tenants. */
export type Finished = { ref: ChannelRef; postId: string; isolated: boolean; result: Exclude<Result, { kind: 'unknown' }> }
