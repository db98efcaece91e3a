import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayOf } from '../resolve-range.ts'
import { type HistoryDay, dayMs, dayZero, decodeHistory, encodeHistory } from './encode-history.ts'

const figure = fc.option(fc.oneof(fc.nat(20), fc.maxSafeNat()))
const figures = fc.record({ likes: figure, comments: figure, shares: figure, impressions: figure, clicks: figure, saves: figure })
const history = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), figures), { maxLength: 100 }).map((entries) => {
  let atMs = Date.UTC(2026, 10, 1)
  return entries.map(([gap, values]): HistoryDay => {
    atMs += gap * dayMs
    return { ...values, day: dayOf(atMs) }
  })
})

test('guarantee: every day and every figure of a history is read back as it was', () => {
  fc.assert(
    fc.property(history, (days) => {
      expect(decodeHistory(encodeHistory(days))).toEqual(days)
    }),
  )
})

test('a day takes only what changed', () => {
  const first = { ...dayZero, day: '2026-11-16', likes: 3, comments: 0, impressions: 120 }
  const days = [
    first,
    { ...first, day: '2026-11-17', likes: 4 },
    { ...first, day: '2026-11-18', likes: 4 },
    { ...first, day: '2026-11-20', likes: 4, comments: null, impressions: 115 },
  ]
  expect(encodeHistory(days)).toBe('20773:3,0,,120;1:1;1;2:,?,,-5')
})

test.each(['a', '1:b', '1:1.5', '1;', '1:1,2,3,4,5,6,7', '1:2:3'])('%s is refused', (text) => {
  expect(() => decodeHistory(text)).toThrow('cannot be read')
})
