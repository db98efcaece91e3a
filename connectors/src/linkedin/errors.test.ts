import { expect, test } from 'vitest'
import { classify } from './errors.ts'

/** Guarantee: LinkedIn's codes decide the error kind. */
test.for([
  { status: 401, body: { code: 'EXPIRED_ACCESS_TOKEN', serviceErrorCode: 65602 }, kind: 'auth' },
  { status: 401, body: { serviceErrorCode: 65601 }, kind: 'auth' },
  { status: 403, body: { code: 'ACCESS_DENIED' }, kind: 'rejected' },
  { status: 403, body: { code: 'ACCESS_DENIED', message: 'Accessing this image resource is forbidden' }, kind: 'unavailable' },
  { status: 400, body: { error: 'invalid_grant' }, kind: 'auth' },
  { status: 429, body: { code: 'TOO_MANY_REQUESTS' }, kind: 'limited' },
  { status: 426, body: null, kind: 'limited' },
  { status: 409, body: { code: 'CONFLICT' }, kind: 'unavailable' },
  { status: 400, body: { code: 'MEDIA_ASSET_WAITING_UPLOAD' }, kind: 'unavailable' },
  { status: 400, body: { code: 'FIELD_LENGTH_TOO_LONG' }, kind: 'rejected' },
  { status: 413, body: null, kind: 'rejected' },
  { status: 504, body: null, kind: 'unknown' },
])('$status $body is $kind', ({ status, body, kind }) => {
  expect(classify({ status, headers: {}, body }, 0)).toMatchObject({ kind })
})

test('a picture that LinkedIn does not know yet is waited for', () => {
  const body = { code: 'ACCESS_DENIED', message: 'Accessing this image resource is forbidden' }
  const refusal = classify({ status: 403, headers: {}, body }, 0)
  expect(refusal).toMatchObject({ kind: 'unavailable', reason: 'file_processing', waitsMs: [20_000, 60_000, 300_000] })
})

test('a used-up daily limit lasts until midnight UTC', () => {
  const noon = Date.UTC(2026, 10, 15, 12)
  expect(classify({ status: 429, headers: {}, body: null }, noon)).toMatchObject({ kind: 'limited', retryAfterMs: 43_200_000 })
})

test('the error of a duplicate names the existing post', () => {
  const body = { status: 422, code: 'DUPLICATE_POST', message: 'Content is a duplicate of urn:li:share:7301234567890123457' }
  const error = classify({ status: 422, headers: {}, body }, 0)
  const urn = 'urn:li:share:7301234567890123457'
  expect(error).toMatchObject({ kind: 'rejected', platformCode: `DUPLICATE_POST/${urn}`, message: expect.stringContaining(urn) })
  expect(error).toMatchObject({ isDuplicate: true, existing: { postId: urn, postUrl: expect.stringContaining(urn) } })
  expect(classify({ status: 422, headers: {}, body: { message: 'Unprocessable' } }, 0).platformCode).toBeNull()
})
