import { expect, test } from 'vitest'
import { classify, failedPost } from './errors.ts'

/** Guarantee: TikTok's codes decide the error kind. */
test.for([
  { status: 401, code: 'access_token_invalid', kind: 'auth', retryAfterMs: null },
  { status: 401, code: 'scope_not_authorized', kind: 'auth', retryAfterMs: null },
  { status: 429, code: 'rate_limit_exceeded', kind: 'limited', retryAfterMs: 60_000 },
  { status: 403, code: 'spam_risk_too_many_posts', kind: 'limited', retryAfterMs: 21_600_000 },
  { status: 403, code: 'privacy_level_option_mismatch', kind: 'rejected', retryAfterMs: null },
  { status: 400, code: 'invalid_params', kind: 'rejected', retryAfterMs: null },
  { status: 500, code: 'internal_error', kind: 'unknown', retryAfterMs: null },
])('$code is $kind', ({ status, code, kind, retryAfterMs }) => {
  const body = { data: {}, error: { code, message: 'text', log_id: '1' } }
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject({ kind, platformCode: code, retryAfterMs })
})

test('a refused upload is classified by its status alone', () => {
  expect(classify({ status: 416, headers: {}, body: null }, 0)).toMatchObject({ kind: 'unknown' })
  expect(classify({ status: 403, headers: {}, body: null }, 0)).toMatchObject({
    kind: 'rejected',
    platformCode: 'upload_expired',
  })
})

test('a failed post is rejected with its reason', () => {
  expect(failedPost('frame_rate_check_failed')).toMatchObject({
    kind: 'rejected',
    message: expect.stringContaining('frame rate'),
  })
  expect(failedPost('an_unknown_code')).toMatchObject({ kind: 'rejected', platformCode: 'an_unknown_code' })
})
