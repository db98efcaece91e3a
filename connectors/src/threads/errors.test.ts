import { expect, test } from 'vitest'
import { classify, refusedContainer } from './errors.ts'

/** Guarantee: Meta's codes decide the error kind: the subcode before the code, and the code before the status. */
test.for([
  { error: { code: 190, error_subcode: 463 }, kind: 'auth', code: '190/463' },
  { error: { code: 200 }, kind: 'auth', code: '200' },
  { error: { code: 4, error_subcode: 2207051 }, kind: 'limited', code: '4/2207051' },
  { error: { code: 613 }, kind: 'limited', code: '613' },
  { error: { code: 2 }, kind: 'unknown', code: '2' },
  { error: { code: 100, error_subcode: 33 }, kind: 'gone', code: '100/33' },
  { error: { code: 100, message: 'Param text must be at most 500 characters long.' }, kind: 'rejected', code: '100' },
  { error: { code: 10, error_subcode: 4279013 }, kind: 'rejected', code: '10/4279013' },
])('$code is $kind', ({ error, kind, code }) => {
  expect(classify({ status: 400, headers: {}, body: { error } }, 0)).toMatchObject({ kind, platformCode: code })
})

/** Guarantee: our own short outage, in which the platform cannot fetch a file, does not refuse a post for good. */
test.for([
  ['FAILED_DOWNLOADING_VIDEO', true],
  ['The media could not be fetched from this URI.', true],
  ['INVALID_DURATION', false],
] as const)('a container that failed with "%s" is temporary: %s', ([reason, isTemporary]) => {
  expect(refusedContainer(reason)).toMatchObject({ kind: 'rejected', isTemporary })
})

/** Guarantee: the wait in Meta's own header is understood. */
test('the wait comes from the usage header', () => {
  const usage = JSON.stringify({ 1784: [{ type: 'threads', call_count: 100, estimated_time_to_regain_access: 3 }] })
  const error = classify({ status: 400, headers: { 'x-business-use-case-usage': usage }, body: { error: { code: 4 } } }, 0)
  expect(error).toMatchObject({ kind: 'limited', retryAfterMs: 180_000 })
})
