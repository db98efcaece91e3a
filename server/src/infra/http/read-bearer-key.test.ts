import { expect, test } from 'vitest'
import { readBearerKey } from './authenticate.ts'

test.each([
  ['Bearer sk_abc', 'sk_abc'],
  ['bearer sk_abc', 'sk_abc'],
  ['Bearer  sk_abc', 'sk_abc'],
  ['Bearer sk_abc junk', null],
  ['Bearer sk_abc ', null],
  ['Bearer', null],
  ['Bearer ', null],
  ['Basic sk_abc', null],
  ['sk_abc', null],
  [`Bearer ${'a'.repeat(300)}`, null],
  [undefined, null],
])('%j has the key %j', (header, key) => {
  expect(readBearerKey(header)).toBe(key)
})
