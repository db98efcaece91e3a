import { expect, test } from 'vitest'
import { recordKey } from './record-key.ts'

const atMs = Date.UTC(2026, 10, 15, 12)

/** Guarantee: one handle, one key, in the form the network accepts; another handle, another key. */
test('a key is a valid TID and depends on the handle alone', () => {
  const key = recordKey({ key: 'channel-1', atMs })
  expect(key).toMatch(/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/)
  expect(recordKey({ key: 'channel-1', atMs })).toBe(key)
  expect(recordKey({ key: 'channel-2', atMs })).not.toBe(key)
})

test('ten thousand posts of one second have ten thousand keys', () => {
  const keys = Array.from({ length: 10_000 }, (_, n) => recordKey({ key: `channel-${n}`, atMs }))
  expect(new Set(keys).size).toBe(10_000)
})

test('later posts sort later', () => {
  expect(recordKey({ key: 'z', atMs }) < recordKey({ key: 'a', atMs: atMs + 1000 })).toBe(true)
})
