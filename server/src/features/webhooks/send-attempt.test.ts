import { expect, test } from 'vitest'
import { textOf } from './deliver.ts'

/** Guarantee: the beginning of every response can be stored with its delivery. */
test('keeps the first 4 kB, whole characters only, without NUL', () => {
  expect(textOf(Buffer.from('thanks'))).toBe('thanks')
  expect(textOf(Buffer.from('a\0b'))).toBe('ab')
  expect(textOf(Buffer.alloc(70_000, 'x'))).toBe('x'.repeat(4096))
  expect(textOf(Buffer.from(`${'x'.repeat(4095)}ü`))).toBe('x'.repeat(4095))
  expect(textOf(Buffer.from([0xff, 0x61]))).toBe('\u{FFFD}a')
})
