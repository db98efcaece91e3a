import type { ChannelError } from '@carillon/contract'
import type { WaitingReason } from '../../../infra/db/tables.ts'
import type { ChannelRef } from '../channel-ref.ts'

/** The result of one attempt at a channel. */
export type Result =
  | { kind: 'published'; postId: string | null; postUrl: string | null; warnings: readonly string[]; atMs: number }
  | { kind: 'processing'; reference: string; checkAfterMs: number }
  | { kind: 'failed'; error: ChannelError }
  /** Certainly not published; to be tried again, with a new token if `renew`, and staged again if `restage`. */
  | {
      kind: 'later'
      atMs: number
      error: ChannelError
      renew: boolean
      waiting: WaitingReason | null
      restage?: boolean
      /** The platform refused it for a reason which may pass. */
      isRefused?: boolean
    }
  /** It may have been published. */
  | { kind: 'unknown' }
  | { kind: 'unconfirmed'; error: ChannelError }

/** A result that can be stored. */
export type KnownResult = Exclude<Result, { kind: 'unknown' }>

/** A channel with a result that can be stored. `isolated`: on a server that a user chose. */
export type Finished = {
  ref: ChannelRef
  postId: string
  isolated: boolean
  /** When the token was made that was used; a refusal of an older token says nothing of a newer one. */
  tokenRenewedAtMs: number | null
  result: KnownResult
}
