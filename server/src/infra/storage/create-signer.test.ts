import { describe, expect, test } from 'vitest'
import { parseSecretKeys } from '../sealing/seal.ts'
import { readRange } from '../../features/media/download/file.routes.ts'
import { createSigner } from './create-signer.ts'

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const old = createSigner(parseSecretKeys(`k1:${key(1)}`))
const both = createSigner(parseSecretKeys(`k2:${key(2)},k1:${key(1)}`))
const allowed = { method: 'GET' as const, key: 'a/b', expiresAtMs: 10_000, params: { type: 'image/png', name: 'x' } }

/** Guarantee: a signed URL allows exactly the request that it was signed for, and adding a key does not break existing URLs. */
describe('a signed URL', () => {
  const request = { method: 'GET', key: 'a/b', query: old.sign(allowed), nowMs: 9000 }

  test('returns its parameters', () => expect(old.verify(request)).toEqual(allowed.params))

  test('stays valid when a new key is added in front', () => {
    expect(both.verify(request)).toEqual(allowed.params)
    expect(old.verify({ ...request, query: both.sign(allowed) })).toBe(null)
  })

  test('is bound to method, key, parameters and time', () => {
    expect(old.verify({ ...request, method: 'PUT' })).toBe(null)
    expect(old.verify({ ...request, key: 'a/c' })).toBe(null)
    expect(old.verify({ ...request, nowMs: 11_000 })).toBe(null)
    const more = new URLSearchParams(request.query)
    more.append('type', 'text/html')
    expect(old.verify({ ...request, query: more })).toBe(null)
    const longer = new URLSearchParams(request.query)
    longer.set('signature', `${longer.get('signature')}zz`)
    expect(old.verify({ ...request, query: longer })).toBe(null)
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
