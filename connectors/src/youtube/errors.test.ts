import { expect, test } from 'vitest'
import { classify, failedVideo, untilPacificMidnightMs } from './errors.ts'

const hourMs = 3_600_000
const nowMs = Date.parse('2026-11-18T20:00:00Z')

/** Guarantee: YouTube's reasons decide the error kind, and a limit names a wait although YouTube does not. */
test.for([
  { status: 401, reason: 'authError', kind: 'auth', why: 'reconnect', retryAfterMs: null },
  { status: 401, reason: 'youtubeSignupRequired', kind: 'auth', why: 'channel_missing', retryAfterMs: null },
  { status: 403, reason: 'insufficientPermissions', kind: 'auth', why: 'permission_missing', retryAfterMs: null },
  { status: 403, reason: 'accessNotConfigured', kind: 'auth', why: 'app_permission_missing', retryAfterMs: null },
  { status: 403, reason: 'quotaExceeded', kind: 'limited', why: 'app_quota_used', retryAfterMs: 12 * hourMs + 60_000 },
  { status: 400, reason: 'uploadLimitExceeded', kind: 'limited', why: 'day_limit', retryAfterMs: 6 * hourMs },
  { status: 403, reason: 'rateLimitExceeded', kind: 'limited', why: 'slow_down', retryAfterMs: 60_000 },
  { status: 400, reason: 'invalidTitle', kind: 'rejected', why: 'title_refused', retryAfterMs: null },
  { status: 400, reason: 'invalidDescription', kind: 'rejected', why: 'text_refused', retryAfterMs: null },
  { status: 400, reason: 'invalidTags', kind: 'rejected', why: 'tags_refused', retryAfterMs: null },
  { status: 403, reason: 'commentsDisabled', kind: 'rejected', why: 'comments_off', retryAfterMs: null },
  { status: 404, reason: 'videoNotFound', kind: 'gone', why: 'not_found', retryAfterMs: null },
  { status: 403, reason: 'forbidden', kind: 'rejected', why: 'refused', retryAfterMs: null },
  { status: 503, reason: 'backendError', kind: 'unknown', why: null, retryAfterMs: null },
  { status: 500, reason: 'quotaExceeded', kind: 'unknown', why: null, retryAfterMs: null },
])('$status $reason is $kind', ({ status, reason, kind, why, retryAfterMs }) => {
  const body = { error: { code: status, message: 'text', errors: [{ domain: 'youtube', reason, message: 'text' }] } }
  expect(classify({ status, headers: {}, body }, nowMs)).toMatchObject({ kind, reason: why, platformCode: reason, retryAfterMs })
})

test('an error of the token endpoint is known by its own code', () => {
  const body = { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }
  expect(classify({ status: 400, headers: {}, body }, nowMs)).toMatchObject({ kind: 'auth', platformCode: 'invalid_grant' })
})

/** Guarantee: a used-up quota is not asked for again before the new day begins in California, and at most a day later. */
test.for([
  ['2026-11-18T07:59:00Z', 2],
  ['2026-11-18T08:00:00Z', 24 * 60 + 1],
  ['2026-07-01T06:30:00Z', 31],
] as const)('at %s the quota returns in %i minutes', ([at, minutes]) => {
  expect(untilPacificMidnightMs(Date.parse(at))).toBe(minutes * 60_000)
})

test('a video that YouTube could not use is rejected with its reason', () => {
  expect(failedVideo('codec')).toMatchObject({ kind: 'rejected', reason: 'file_format', platformCode: 'codec' })
  expect(failedVideo('copyright')).toMatchObject({ kind: 'rejected', reason: 'refused', platformMessage: 'copyright' })
  expect(failedVideo('uploaderAccountSuspended')).toMatchObject({ kind: 'gone' })
  expect(failedVideo(undefined)).toMatchObject({ kind: 'rejected', reason: 'not_done' })
})
