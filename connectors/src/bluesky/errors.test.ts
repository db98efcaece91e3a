import { expect, test } from 'vitest'
import { classify } from './errors.ts'

/** Guarantee: the error name decides the error kind, not the status. */
test.for([
  { status: 400, error: 'ExpiredToken', kind: 'auth' },
  { status: 401, error: 'AuthenticationRequired', kind: 'auth' },
  { status: 401, error: 'AccountTakedown', kind: 'gone' },
  { status: 400, error: 'InvalidRequest', kind: 'rejected' },
  { status: 429, error: 'RateLimitExceeded', kind: 'limited' },
  { status: 502, error: 'UpstreamFailure', kind: 'unknown' },
  { status: 400, error: 'SomethingNew', kind: 'rejected' },
])('$error is $kind', ({ status, error, kind }) => {
  expect(classify({ status, headers: {}, body: { error, message: 'Text' } }, 0)).toMatchObject({ kind, platformCode: error })
})
