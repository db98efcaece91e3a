import type { FailureReason } from '@carillon/contract'
import { Value } from 'typebox/value'
import { OAuthFailure, oauthReasons } from '../google/oauth-failure.ts'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError, type PlatformErrorKind } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { Failure } from './wire.ts'

export const because = explainFor('YouTube')

const dayMs = 86_400_000
const hourMs = 3_600_000

const row = (kind: PlatformErrorKind, reason: FailureReason): Refusal => ({ kind, ...because(reason) })

/** By YouTube's own reasons: of its API, of the token endpoint, and of a video that it could not use. */
const table: Partial<Record<string, Refusal>> = {
  authError: row('auth', 'reconnect'),
  authorizationRequired: row('auth', 'reconnect'),
  invalid_grant: row('auth', oauthReasons.invalid_grant),
  invalid_client: row('auth', oauthReasons.invalid_client),
  unauthorized_client: row('auth', oauthReasons.unauthorized_client),
  accessNotConfigured: row('auth', 'app_permission_missing'),
  insufficientPermissions: row('auth', 'permission_missing'),
  youtubeSignupRequired: row('auth', 'channel_missing'),
  authenticatedUserNotChannel: row('auth', 'channel_missing'),
  authenticatedUserAccountSuspended: row('gone', 'suspended'),
  authenticatedUserAccountClosed: row('gone', 'deactivated'),
  channelSuspended: row('gone', 'suspended'),
  channelClosed: row('gone', 'deactivated'),
  quotaExceeded: row('limited', 'app_quota_used'),
  dailyLimitExceeded: row('limited', 'app_quota_used'),
  uploadLimitExceeded: row('limited', 'day_limit'),
  rateLimitExceeded: row('limited', 'slow_down'),
  userRateLimitExceeded: row('limited', 'slow_down'),
  uploadRateLimitExceeded: row('limited', 'slow_down'),
  invalidTitle: row('rejected', 'title_refused'),
  invalidDescription: row('rejected', 'text_refused'),
  invalidTags: row('rejected', 'tags_refused'),
  forbiddenPrivacySetting: row('rejected', 'audience_not_offered'),
  commentsDisabled: row('rejected', 'comments_off'),
  commentTextTooLong: row('rejected', 'text_too_long'),
  // Of a video: why it failed or was rejected.
  codec: row('rejected', 'file_format'),
  conversion: row('rejected', 'file_unprocessed'),
  invalidFile: row('rejected', 'file_format'),
  emptyFile: row('rejected', 'file_size'),
  tooSmall: row('rejected', 'file_size'),
  length: row('rejected', 'video_length'),
  uploaderAccountSuspended: row('gone', 'suspended'),
  uploaderAccountClosed: row('gone', 'deactivated'),
}

/** No answer of YouTube names a wait. The quota of a day begins at midnight in California; a channel's uploads are counted over 24 hours. */
const waits: Partial<Record<string, (nowMs: number) => number>> = {
  quotaExceeded: untilPacificMidnightMs,
  dailyLimitExceeded: untilPacificMidnightMs,
  uploadLimitExceeded: () => 6 * hourMs,
  rateLimitExceeded: () => 60_000,
  userRateLimitExceeded: () => 60_000,
  uploadRateLimitExceeded: () => 60_000,
}

export const classify: Classify = ({ status, headers, body }, nowMs) => {
  const isFailure = Value.Check(Failure, body)
  const code = isFailure ? (body.error.errors?.[0]?.reason ?? null) : Value.Check(OAuthFailure, body) ? body.error : null
  const said = isFailure ? (body.error.message ?? null) : null
  const waitMs = code === null ? undefined : waits[code]?.(nowMs)
  const named = waitMs === undefined ? {} : { 'retry-after': String(Math.ceil(waitMs / 1000)) }
  // A server may fail after doing the work, whatever it calls that.
  const known = code === null || status >= 500 ? undefined : table[code]
  return refuse(known ?? refusalByStatus('YouTube', status, said), code, { status, headers: { ...named, ...headers } }, nowMs)
}

const pacific = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/Los_Angeles',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
})

/** A minute more, because the minute that has begun counts as a whole one. On the two days when clocks change, it is an hour off. */
export function untilPacificMidnightMs(nowMs: number): number {
  const [hours = 0, minutes = 0] = pacific.format(nowMs).split(':').map(Number)
  return dayMs - (hours * 60 + minutes) * 60_000 + 60_000
}

/** A video that YouTube could not use is in the channel, where nobody can see it. */
export function failedVideo(reason: string | undefined): PlatformError {
  const why = (reason === undefined ? undefined : table[reason]) ?? row('rejected', reason === undefined ? 'not_done' : 'refused')
  return new PlatformError({ ...why, platformCode: reason ?? null, platformMessage: reason })
}
