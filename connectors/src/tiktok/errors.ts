import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { Failure, OAuthFailure } from './wire.ts'

type KnownRefusal = Refusal & { waitSeconds?: number }

/** Requests are limited per sliding minute and posts per day, but TikTok's answers do not name the wait. */
const minuteSeconds = 60
const sameDaySeconds = 6 * 3600

const reconnect: KnownRefusal = { kind: 'auth', message: 'TikTok no longer accepts this connection. Reconnect the account.' }
const noScope: KnownRefusal = {
  kind: 'auth',
  message: 'TikTok says this connection lacks a permission. Reconnect and allow all requested permissions.',
}
const badApp: KnownRefusal = {
  kind: 'auth',
  message: 'TikTok does not accept the developer app. Its operator has to check key and secret.',
}
const spam: KnownRefusal = { kind: 'rejected', message: 'TikTok refused this post as spam.' }
const rejected = (message: string): KnownRefusal => ({ kind: 'rejected', message })
const limitedToday = (message: string): KnownRefusal => ({ kind: 'limited', message, waitSeconds: sameDaySeconds })

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
    message: 'TikTok asks us to slow down. The post will be sent later.',
    waitSeconds: minuteSeconds,
  },
  reached_active_user_cap: limitedToday(
    'The TikTok app has reached its limit of accounts for today. The post will be sent later.',
  ),
  spam_risk_too_many_posts: limitedToday('TikTok accepts no more posts from this account today. The post will be sent later.'),
  spam_risk_too_many_pending_share: limitedToday(
    'TikTok accepts no more posts from this account today. The post will be sent later.',
  ),
  spam_risk: spam,
  spam_risk_text: spam,
  spam_risk_user_banned_from_posting: rejected('TikTok has banned this account from posting.'),
  privacy_level_option_mismatch: rejected('TikTok does not offer this account the chosen audience.'),
  unaudited_client_can_only_post_to_private_accounts: rejected(
    'TikTok has not audited the app yet: until then the account must be private and the post for its owner only.',
  ),
  url_ownership_unverified: rejected(
    'TikTok does not know the address of the photos. The operator has to verify its domain there.',
  ),
  file_format_check_failed: rejected('TikTok refused the file because of its format.'),
  duration_check_failed: rejected('TikTok refused the video because of its length.'),
  frame_rate_check_failed: rejected('TikTok refused the video because of its frame rate.'),
  picture_size_check_failed: rejected('TikTok refused the file because of its size.'),
  video_pull_failed: rejected('TikTok could not fetch the file. Retry to send it again.'),
  photo_pull_failed: rejected('TikTok could not fetch the photos from their address. Retry once they can be reached.'),
  publish_cancelled: rejected('The post was cancelled at TikTok.'),
  upload_expired: rejected('TikTok did not receive the video in time. Retry to send it again.'),
  // The bytes do not follow those that TikTok has. It may already have all of them, which only the post's status can tell.
  upload_range: { kind: 'unknown', message: 'TikTok already has this part of the video, or is missing an earlier part.' },
  internal: rejected('TikTok failed while preparing the post. Retry to send it again.'),
}

/** A refused upload has only a status. All other errors have a body with a code. */
const uploadStatuses: Partial<Record<number, string>> = { 403: 'upload_expired', 416: 'upload_range' }

export const classify: Classify = (reply, nowMs) => {
  const { status, body } = reply
  const code = codeOf(body) ?? (body === null ? (uploadStatuses[status] ?? null) : null)
  const platformMessage = Value.Check(Failure, body) ? body.error.message : null
  const known = (code === null ? undefined : table[code]) ?? refusalByStatus('TikTok', status, platformMessage)
  return refuse(toRefusal(known), code, { status, headers: { ...waitHeader(known), ...reply.headers } }, nowMs)
}

function codeOf(body: unknown): string | null {
  if (Value.Check(Failure, body)) return body.error.code
  return Value.Check(OAuthFailure, body) ? body.error : null
}

function toRefusal({ kind, message }: KnownRefusal): Refusal {
  return { kind, message }
}

function waitHeader({ waitSeconds }: KnownRefusal): Record<string, string> {
  return waitSeconds === undefined ? {} : { 'retry-after': String(waitSeconds) }
}

/** A failed post was certainly not published. A new one may work, but a person decides whether to try. */
export function failedPost(reason: string): PlatformError {
  const { message } = table[reason] ?? { message: 'TikTok did not publish the post. Retry to send it again.' }
  return new PlatformError({ kind: reason === 'auth_removed' ? 'auth' : 'rejected', platformCode: reason, message })
}
