import { expect, test } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

test('the order of keys makes no difference, the order of an array does', () => {
  expect(canonicalJson({ b: 1, a: { d: [1, 2], c: null } })).toBe(canonicalJson({ a: { c: null, d: [1, 2] }, b: 1 }))
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
})

test('different values have different texts', () => {
  const values = [null, 0, '0', '', [], {}, { a: undefined }, { a: null }, { a: '{}' }, { a: {} }, { 1: 'a', 0: 'b' }, ['b', 'a']]
  // JSON has no undefined: a key without a value is no key.
  expect(new Set(values.map(canonicalJson)).size).toBe(values.length - 1)
})
