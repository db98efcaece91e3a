import type { FailureReason } from '@carillon/contract'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { Failure, OAuthFailure } from './wire.ts'

export const because = explainFor('TikTok')

type KnownRefusal = Refusal & { waitSeconds?: number }

/** Requests are limited per sliding minute and posts per day, but TikTok's answers do not name the wait. */
const minuteSeconds = 60
const sameDaySeconds = 6 * 3600

const reconnect: KnownRefusal = { kind: 'auth', ...because('reconnect') }
const noScope: KnownRefusal = {
  kind: 'auth',
  ...because('permission_missing'),
}
const badApp: KnownRefusal = {
  kind: 'auth',
  ...because('app_refused'),
}
const spam: KnownRefusal = { kind: 'rejected', ...because('spam') }
const rejected = (reason: FailureReason): KnownRefusal => ({ kind: 'rejected', ...because(reason) })
const limitedToday = (reason: FailureReason): KnownRefusal => ({
  kind: 'limited',
  ...because(reason),
  waitSeconds: sameDaySeconds,
})

/** By TikTok's own codes: from its API, from its token endpoint, and the reasons of failed posts. */
const table: Partial<Record<string, KnownRefusal>> = {
  access_token_invalid: reconnect,
  auth_removed: reconnect,
  invalid_grant: reconnect,
  invalid_client: badApp,
  scope_not_authorized: noScope,
  scope_permission_missed: noScope,
  internal_error: { kind: 'unknown', message: 'TikTok failed while handling this.' },
  rate_limit_exceeded: {
    kind: 'limited',
    ...because('slow_down'),
    waitSeconds: minuteSeconds,
  },
  reached_active_user_cap: limitedToday('app_accounts_full'),
  spam_risk_too_many_posts: limitedToday('day_limit'),
  spam_risk_too_many_pending_share: limitedToday('inbox_full'),
  spam_risk: spam,
  spam_risk_text: spam,
  spam_risk_user_banned_from_posting: rejected('banned'),
  privacy_level_option_mismatch: rejected('audience_not_offered'),
  unaudited_client_can_only_post_to_private_accounts: rejected('app_not_audited'),
  url_ownership_unverified: rejected('app_domain_unverified'),
  file_format_check_failed: rejected('file_format'),
  duration_check_failed: rejected('video_length'),
  frame_rate_check_failed: rejected('video_frame_rate'),
  picture_size_check_failed: rejected('file_size'),
  video_pull_failed: rejected('file_not_fetched'),
  photo_pull_failed: rejected('file_not_fetched'),
  publish_cancelled: rejected('cancelled'),
  // The video can be uploaded again, to a new address.
  upload_expired: { ...rejected('file_late'), isTemporary: true },
  // The bytes do not follow those that TikTok has. It may already have all of them, which only the post's status can tell.
  upload_range: { kind: 'unknown', message: 'TikTok already has this part of the video, or is missing an earlier part.' },
  internal: rejected('not_prepared'),
}

/** A refused upload has a status and no code, whatever its body is. All other errors have a body with a code. */
const uploadStatuses: Partial<Record<number, string>> = { 403: 'upload_expired', 416: 'upload_range' }

export const classify: Classify = (reply, nowMs) => {
  const { status, body } = reply
  const code = codeOf(body) ?? uploadStatuses[status] ?? null
  const platformMessage = Value.Check(Failure, body) ? body.error.message : null
  const known = (code === null ? undefined : table[code]) ?? refusalByStatus('TikTok', status, platformMessage)
  return refuse(toRefusal(known), code, { status, headers: { ...waitHeader(known), ...reply.headers } }, nowMs)
}

function codeOf(body: unknown): string | null {
  if (Value.Check(Failure, body)) return body.error.code
  return Value.Check(OAuthFailure, body) ? body.error : null
}

function toRefusal({ waitSeconds: _waitSeconds, ...refusal }: KnownRefusal): Refusal {
  return refusal
}

function waitHeader({ waitSeconds }: KnownRefusal): Record<string, string> {
  return waitSeconds === undefined ? {} : { 'retry-after': String(waitSeconds) }
}

/** A failed post was certainly not published. A new one may work, but a person decides whether to try. */
export function failedPost(reason: string): PlatformError {
  const why = table[reason] ?? because('not_done')
  const kind = reason === 'auth_removed' ? 'auth' : 'rejected'
  return new PlatformError({ kind, platformCode: reason, reason: why.reason, message: why.message })
}
