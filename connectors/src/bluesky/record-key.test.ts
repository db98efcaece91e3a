import { expect, test } from 'vitest'
import { recordKey } from './record-key.ts'

const atMs = Date.UTC(2026, 10, 15, 12)

/** Guarantee: a handle always gives the same valid key, and another handle gives another key. */
test('a key is a valid TID and depends on the handle alone', () => {
  const key = recordKey({ key: 'channel-1', atMs })
  expect(key).toMatch(/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/)
  expect(recordKey({ key: 'channel-1', atMs })).toBe(key)
  expect(recordKey({ key: 'channel-2', atMs })).not.toBe(key)
})

test('ten thousand posts in one second have ten thousand different keys', () => {
  const keys = Array.from({ length: 10_000 }, (_, n) => recordKey({ key: `channel-${n}`, atMs }))
  expect(new Set(keys).size).toBe(10_000)
})

test('later posts sort later', () => {
  expect(recordKey({ key: 'z', atMs }) < recordKey({ key: 'a', atMs: atMs + 1000 })).toBe(true)
})
