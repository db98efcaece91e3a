import { PlatformError } from '@carillon/connectors'
import type { ChannelErrorCode } from '@carillon/contract'
import { isConnectionError } from '../../../infra/db/db.ts'
import type { WaitingReason } from '../../../infra/db/tables.ts'
import { channelError, channelErrorBecause } from '../../posts/channel-error.ts'
import type { KnownResult, Result } from './result.ts'

/** Waits before the second, third … automatic attempt, each varied by up to a quarter so that a crowd does not return at once. */
const backoffMs = [5_000, 20_000, 60_000, 180_000, 600_000]
/** How long after its due time a post is still sent without asking the person. A workspace may choose less (`holdIfLateMinutes`). */
export const giveUpAfterMs = 24 * 3_600_000
/** How often a channel is looked at that waits for its account to be connected again; reconnecting wakes it at once. */
const reconnectPollMs = 300_000
/** A platform that answers "try again at once" is not asked more often than this. */
const waitMsMin = 1_000
/** From this attempt on, what was uploaded before is uploaded again: the platform may have lost it, or never received it. */
const restageFromTries = 2
/** How often something may be refused for a reason which may pass; with the waits between them a few minutes. */
const refusalsMax = 5

/** How often something is tried that fails on our side before anything is sent. */
const ownTriesMax = 3

export type Attempt = {
  tries: number
  /** How many attempts before this one were refused for a reason which may pass. Others do not count: a platform may have been down for hours. */
  refusals: number
  /** The token was already renewed for this attempt. */
  renewed: boolean
  canRenew: boolean
  dueAtMs: number
  nowMs: number
  /** A number in [0, 1) that varies the waits. */
  random: number
  /** It answers a post: a first comment, or a further post of a thread. */
  isReply: boolean
  /** Whether the first byte of a request left. */
  started: boolean
}

/** Turns a connector's error into what happens next: fail, try later, renew the token, or find out. The one place that decides it. */
export function judgeFailure(error: unknown, attempt: Attempt): Result {
  if (!(error instanceof PlatformError)) return judgeOwnFailure(error, attempt)
  const fail = (code: ChannelErrorCode): Result => ({ kind: 'failed', error: channelError(code, error) })
  switch (error.kind) {
    case 'unknown':
      return { kind: 'unknown' }
    case 'rejected':
      // The post that the platform already has may be that of an earlier attempt.
      if (error.isDuplicate)
        return { kind: 'unknown', refusal: { error: channelError('content_rejected', error), existing: error.existing } }
      if (!error.isTemporary) return fail('content_rejected')
      if (attempt.refusals + 1 >= refusalsMax) return fail('platform_unavailable')
      return tryLater(attempt, { code: 'platform_unavailable', waiting: 'platform_unavailable', error })
    case 'gone':
      // What is gone is then the post that it answers, and the platform says so in its own words.
      return fail(attempt.isReply ? 'content_rejected' : 'account_gone')
    case 'auth':
      if (attempt.renewed || !attempt.canRenew) return awaitReconnect(attempt, error)
      return { kind: 'later', atMs: attempt.nowMs, error: channelError('reconnect_needed', error), renew: true, waiting: null }
    case 'limited':
      return tryLater(attempt, { code: 'platform_rate_limited', waiting: 'rate_limit', error })
    case 'unavailable':
      return tryLater(attempt, { code: 'platform_unavailable', waiting: 'platform_unavailable', error })
  }
}

/**
 * An error of our own. After the first byte the request may have been carried out. Before it nothing was sent: it is tried again, for as long as
 * the database or the store of the files is away, and three times for any other reason.
 */
export function judgeOwnFailure(error: unknown, attempt: Attempt): Result {
  if (attempt.started) return { kind: 'unknown' }
  const { tries, dueAtMs, nowMs, random } = attempt
  const atMs = nowMs + backoffAfter(tries, random)
  const shown = channelErrorBecause('publish_failed', 'own_trouble')
  const isAway =
    isConnectionError(error) || (error instanceof Error && error.cause !== undefined && isConnectionError(error.cause))
  const isOver = isAway ? atMs > dueAtMs + giveUpAfterMs : tries >= ownTriesMax
  if (isOver) return { kind: 'failed', error: channelError('publish_failed') }
  return { kind: 'later', atMs, error: shown, renew: false, waiting: null }
}

/** The account must be connected again by a person. The channel waits for that, and fails when it has waited for too long. */
export function awaitReconnect({ dueAtMs, nowMs }: Pick<Attempt, 'dueAtMs' | 'nowMs'>, error: PlatformError | null): KnownResult {
  const shown = channelError('reconnect_needed', error)
  if (nowMs + reconnectPollMs > dueAtMs + giveUpAfterMs) return { kind: 'failed', error: shown }
  return { kind: 'later', atMs: nowMs + reconnectPollMs, error: shown, renew: false, waiting: 'reconnect' }
}

type Wait = { code: ChannelErrorCode; waiting: WaitingReason; error: PlatformError }

function tryLater({ tries, refusals, dueAtMs, nowMs, random }: Attempt, { code, waiting, error }: Wait): Result {
  const isRefused = error.kind === 'rejected'
  const ownWaitMs = error.retryAfterMs ?? (error.waitsMs && pickWait(error.waitsMs, tries))
  const waitMs = Math.max(ownWaitMs ?? backoffAfter(isRefused ? refusals + 1 : tries, random), waitMsMin)
  // By time, not by number of attempts: a platform that is down for hours must not turn every post into a failure.
  if (nowMs + waitMs > Math.max(dueAtMs, nowMs - giveUpAfterMs) + giveUpAfterMs)
    return { kind: 'failed', error: channelError(code, error) }
  // A platform that names a wait, or is still preparing the file, knows it. Made again each time, a long video would never be ready.
  const isKnown = error.retryAfterMs !== null || error.waitsMs !== null
  const isLost = error.kind === 'unavailable' && !isKnown && tries >= restageFromTries
  const restage = isLost || isRefused
  return { kind: 'later', atMs: nowMs + waitMs, error: channelError(code, error), renew: false, waiting, restage, isRefused }
}

/** The wait after this many attempts where the platform names none. */
function backoffAfter(tries: number, random: number): number {
  return vary(pickWait(backoffMs, tries), random)
}

/** The wait after this many attempts; the last wait of the list is repeated. */
function pickWait(waitsMs: readonly number[], tries: number): number {
  return waitsMs[Math.min(Math.max(tries - 1, 0), waitsMs.length - 1)] ?? 0
}

function vary(waitMs: number, random: number): number {
  return Math.round(waitMs * (0.75 + random / 2))
}
