import type { ExistingPost } from '@carillon/connectors'
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
  | { kind: 'unknown'; refusal?: DuplicateRefusal }
  | { kind: 'unconfirmed'; error: ChannelError }

/** A result that can be stored. */
export type KnownResult = Exclude<Result, { kind: 'unknown' }>

/**
 * The platform refused a send because it already has the same post: that of an earlier attempt, or another one. `existing` is that post, if the
 * platform names it; `error` is what the channel shows if that post is not its own.
 */
type DuplicateRefusal = { error: ChannelError; existing: ExistingPost | null }

/** How often the platform has been asked about a channel without an answer. */
export type Progress = {
  round: number
  /** The process that sent it knows that its call has ended. Otherwise it may still be waiting, or be paused. */
  callEnded: boolean
  refusal?: DuplicateRefusal
}

/** A channel with a result that can be stored. `isolated`: on a server that a user chose. */
export type Finished = {
  ref: ChannelRef
  postId: string
  isolated: boolean
  /** When the token was made that was used; a refusal of an older token says nothing of a newer one. */
  tokenRenewedAtMs: number | null
  /** When the call was charged to its rate limits; null or absent if it was not. */
  chargedAtMs?: number | null
  result: KnownResult
  /** The part that follows if this one is published: a post of a thread, or the first comment. */
  next?: { needsStage: boolean; afterMs: number; isThread: boolean; isDoubtful: boolean }
  /** If the result was found by asking the platform. */
  progress?: Progress
}
