import { PlatformError } from '@carillon/connectors'
import type { ChannelErrorCode } from '@carillon/contract'
import { channelError } from '../../posts/channel-error.ts'
import type { Result } from './result.ts'

/** Waits before the second, third … automatic try. */
const backoffMs = [5_000, 20_000, 60_000, 180_000, 600_000, 1_800_000]
const limitedTriesMax = 12
/** A platform that says when to come back, for example while it works on a video, is given more patience. */
const toldTriesMax = 120

type Tried = { tries: number; renewed: boolean; canRenew: boolean; nowMs: number }

/** Turns a connector's error into what happens next: fail, come back later, get a new token, or find out. The one place that decides it. */
export function judgeFailure(error: unknown, { tries, renewed, canRenew, nowMs }: Tried): Result {
  // Not the platform speaking: our own fault, and the call may have left.
  if (!(error instanceof PlatformError)) return { kind: 'unknown' }
  const fail = (code: ChannelErrorCode): Result => ({ kind: 'failed', error: channelError(code, error) })
  switch (error.kind) {
    case 'unknown':
      return { kind: 'unknown' }
    case 'rejected':
      return fail('content_rejected')
    case 'gone':
      return fail('account_gone')
    case 'auth':
      if (renewed || !canRenew) return fail('reconnect_needed')
      return { kind: 'later', atMs: nowMs, error: channelError('reconnect_needed', error), renew: true }
    case 'limited':
      if (tries >= limitedTriesMax) return fail('platform_rate_limited')
      return {
        kind: 'later',
        atMs: nowMs + Math.max(error.retryAfterMs ?? backoff(tries), 1000),
        error: channelError('platform_rate_limited', error),
        renew: false,
      }
    case 'unavailable':
      if (tries > (error.retryAfterMs === null ? backoffMs.length : toldTriesMax)) return fail('platform_unavailable')
      return {
        kind: 'later',
        atMs: nowMs + (error.retryAfterMs ?? backoff(tries)),
        error: channelError('platform_unavailable', error),
        renew: false,
      }
  }
}

function backoff(tries: number): number {
  return backoffMs[Math.min(Math.max(tries - 1, 0), backoffMs.length - 1)] ?? 0
}
