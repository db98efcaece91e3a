import type { ExistingPost } from '@carillon/connectors'
import type { ChannelError } from '@carillon/contract'
import type { Context } from '../../../context.ts'
import type { WaitingReason } from '../../../infra/db/tables.ts'
import { connectorOf } from '../../connections/connector-of.ts'
import { type ChannelRef, refOf } from '../channel-ref.ts'
import { type ChannelToSend, type LoadedChannel, nextNeedsStage } from '../open-channel.ts'

/** The result of one attempt at a channel. */
export type Result =
  | { kind: 'published'; postId: string | null; postUrl: string | null; warnings: readonly string[]; atMs: number }
  | { kind: 'processing'; reference: string; checkAfterMs: number; finishWithinMs?: number }
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

/** A result together with what storing it needs. */
export function finishedOf(
  ctx: Context,
  { channel, connection, post }: { channel: ChannelToSend } & Partial<LoadedChannel>,
  result: KnownResult,
): Finished {
  return {
    ref: refOf(channel),
    postId: channel.post_id,
    isolated: isIsolated(ctx, channel.platform),
    tokenRenewedAtMs: connection?.token_renewed_at.getTime() ?? null,
    // The guard and the rate leases are one transaction. A channel without its connection got no leases.
    chargedAtMs: connection && channel.state === 'submitting' ? (channel.submitted_at?.getTime() ?? null) : null,
    result,
    ...(post && nextOf(ctx, { channel, post }, result)),
  }
}

function nextOf(ctx: Context, loaded: Pick<LoadedChannel, 'channel' | 'post'>, result: KnownResult): Pick<Finished, 'next'> {
  const { channel } = loaded
  if (result.kind !== 'published' || channel.number + 1 >= channel.parts) return {}
  const isThread = channel.number < channel.thread_parts
  // In doubt after a restore, the part that follows may have been sent too. A post of a thread is asked about, a comment is left out.
  const isDoubtful = channel.state === 'doubted'
  if (isDoubtful && !isThread) return {}
  const connector = connectorOf(ctx, channel.platform)
  const needsStage = nextNeedsStage(connector, loaded, result.postId ?? '')
  return { next: { needsStage, afterMs: connector.commentAfterMs ?? 0, isThread, isDoubtful } }
}

/** Channels on servers that users choose share no transaction with other tenants: a hostile answer must not affect them. */
export function isIsolated(ctx: Context, platform: string): boolean {
  return connectorOf(ctx, platform).origin === null
}
