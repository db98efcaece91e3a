import { expect, test } from 'vitest'
import { classify, refusedContainer } from './errors.ts'

/** Guarantee: Instagram's subcodes decide the error kind. */
test.for([
  { error: { code: 190, error_subcode: 463 }, kind: 'auth' },
  { error: { code: 10 }, kind: 'auth' },
  { error: { code: 9, error_subcode: 2207042 }, kind: 'limited' },
  { error: { code: 4, error_subcode: 2207051 }, kind: 'limited' },
  { error: { code: 9007, error_subcode: 2207027 }, kind: 'unavailable' },
  { error: { code: 24, error_subcode: 2207006 }, kind: 'unknown' },
  { error: { code: 36003, error_subcode: 2207009 }, kind: 'rejected' },
  { error: { code: 25, error_subcode: 2207050 }, kind: 'rejected' },
  { error: { code: 100, error_subcode: 33 }, kind: 'gone' },
  { error: { code: 80_002 }, kind: 'limited' },
  { error: { code: 110, error_subcode: 2_207_018 }, kind: 'rejected' },
  { error: { code: 987_654, is_transient: true }, kind: 'unavailable' },
])('$error.code/$error.error_subcode is $kind', ({ error, kind }) => {
  expect(classify({ status: 400, headers: {}, body: { error } }, 0)).toMatchObject({ kind })
})

/** Guarantee: our own short outage, in which the platform cannot fetch a file, does not refuse a post for good. */
test.for([
  ['2207052', true],
  ['2207003', true],
  ['2207005', false],
] as const)('a container that failed with %s is temporary: %s', ([code, isTemporary]) => {
  expect(refusedContainer('ERROR', `Error: error code ${code}`)).toMatchObject({ kind: 'rejected', isTemporary })
})

test('a failed container names its reason', () => {
  const status = 'Error: Media upload has failed with error code 2207005'
  expect(refusedContainer('ERROR', status)).toMatchObject({ platformCode: '2207005', message: expect.stringContaining('JPEG') })
})
