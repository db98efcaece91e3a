import { describe, expect, test } from 'vitest'
import { parseSecretKeys } from '../sealing/secret-keys.ts'
import { readRange } from '../../features/media/download/read-range.ts'
import { createSigner } from './sign-address.ts'

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const old = createSigner(parseSecretKeys(`k1:${key(1)}`))
const both = createSigner(parseSecretKeys(`k2:${key(2)},k1:${key(1)}`))
const permit = { method: 'GET' as const, key: 'a/b', expiresAtMs: 10_000, words: { type: 'image/png', name: 'x' } }

/** Guarantee: a signed address lets one do exactly what it was signed for, and no key change breaks those that are out. */
describe('a signed address', () => {
  const scope = { method: 'GET', key: 'a/b', query: old.sign(permit), nowMs: 9000 }

  test('gives back its words', () => expect(old.verify(scope)).toEqual(permit.words))

  test('outlives a new key in front', () => {
    expect(both.verify(scope)).toEqual(permit.words)
    expect(old.verify({ ...scope, query: both.sign(permit) })).toBe(null)
  })

  test('is bound to method, key, words and time', () => {
    expect(old.verify({ ...scope, method: 'PUT' })).toBe(null)
    expect(old.verify({ ...scope, key: 'a/c' })).toBe(null)
    expect(old.verify({ ...scope, nowMs: 11_000 })).toBe(null)
    const more = new URLSearchParams(scope.query)
    more.append('type', 'text/html')
    expect(old.verify({ ...scope, query: more })).toBe(null)
    const longer = new URLSearchParams(scope.query)
    longer.set('signature', `${longer.get('signature')}zz`)
    expect(old.verify({ ...scope, query: longer })).toBe(null)
  })
})

test.each([
  [undefined, null],
  ['bytes=0-1', { start: 0, end: 1 }],
  ['bytes=5-', { start: 5, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=8-50', { start: 8, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=3-2', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=0-1,3-4', null],
  ['lines=1-2', null],
])('the range %s of ten bytes', (header, wanted) => expect(readRange(header, 10)).toEqual(wanted))
