import { expect, test } from 'vitest'
import { classify } from './errors.ts'

const base = 'https://api.x.com/2/problems'
const duplicateText = 'You are not allowed to create a Tweet with duplicate content.'

/** Guarantee: a client can tell our sentence from the words of the platform. */
test('a refusal without a known code has our reason, and what X said', () => {
  const detail = 'You are not permitted to perform this action.'
  expect(classify({ status: 403, headers: {}, body: { type: 'about:blank', detail } }, 0)).toMatchObject({
    reason: 'refused',
    message: `X refused this: ${detail}`,
    platformMessage: detail,
  })
  const known = classify({ status: 403, headers: {}, body: { type: 'about:blank', detail: duplicateText } }, 0)
  expect([known.reason, known.platformMessage]).toEqual(['duplicate', null])
})

/** Guarantee: X's own codes decide the error kind. */
test.for([
  { status: 403, body: { type: 'about:blank', detail: duplicateText }, kind: 'rejected', code: 'duplicate-content' },
  {
    status: 403,
    body: { type: 'about:blank', detail: 'You are not permitted to perform this action.' },
    kind: 'rejected',
    code: null,
  },
  { status: 403, body: { type: `${base}/client-forbidden` }, kind: 'auth', code: 'client-forbidden' },
  { status: 429, body: { type: `${base}/usage-capped` }, kind: 'limited', code: 'usage-capped' },
  { status: 429, body: { errors: [{ code: 88, message: 'Rate limit exceeded' }] }, kind: 'limited', code: 'rate-limit-exceeded' },
  { status: 402, body: null, kind: 'limited', code: 'credits-depleted' },
  { status: 400, body: { error: 'invalid_grant' }, kind: 'auth', code: 'invalid_grant' },
  { status: 400, body: { type: `${base}/invalid-request` }, kind: 'rejected', code: 'invalid-request' },
  { status: 401, body: { type: 'about:blank', title: 'Unauthorized' }, kind: 'auth', code: null },
  { status: 503, body: '<html>', kind: 'unknown', code: null },
])('$status $code is $kind', ({ status, body, kind, code }) => {
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject({ kind, platformCode: code })
})

/** Guarantee: a first comment waits seconds for its post, and not until the window of the rate limit ends, which every answer names. */
test('a post that is not visible yet is awaited for seconds', () => {
  const detail = 'You attempted to reply to a Tweet that is deleted or not visible to you.'
  const headers = { 'x-rate-limit-reset': '900' }
  const error = classify({ status: 403, headers, body: { type: 'about:blank', detail } }, 0)
  expect(error).toMatchObject({
    kind: 'rejected',
    isTemporary: true,
    retryAfterMs: null,
    waitsMs: [5000, 10_000, 30_000, 60_000, 300_000],
  })
})
