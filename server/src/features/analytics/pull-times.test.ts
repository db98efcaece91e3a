import { expect, test } from 'vitest'
import { backoffAfter, isDue, nextAskAtMs } from './pull-times.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const publishedAtMs = Date.UTC(2026, 10, 1)

/** Guarantee: figures are requested hourly for a new post, then every six hours, then daily, and not at all after thirty days. */
test.each([
  ['never requested', null, 15 * minuteMs],
  ['requested in its first hours', 3 * hourMs, 4 * hourMs],
  ['requested in its sixth hour', 5.9 * hourMs, 6.9 * hourMs],
  ['requested after six hours', 6 * hourMs, 12 * hourMs],
  ['requested on its second day', 47 * hourMs, 53 * hourMs],
  ['requested after two days', 2 * dayMs, 3 * dayMs],
  ['requested on its last but one day', 28.5 * dayMs, 29.5 * dayMs],
  ['requested on its last day', 29.5 * dayMs, null],
])('%s', (_name, askedAfterMs, nextAfterMs) => {
  const askedAtMs = askedAfterMs === null ? null : publishedAtMs + askedAfterMs
  expect(nextAskAtMs({ publishedAtMs, askedAtMs })).toBe(nextAfterMs === null ? null : publishedAtMs + nextAfterMs)
})

test('the figures of a post are requested 41 times in its thirty days', () => {
  let askedAtMs: number | null = null
  let requests = 0
  for (let nextMs = nextAskAtMs({ publishedAtMs, askedAtMs }); nextMs !== null; requests++) {
    askedAtMs = nextMs
    nextMs = nextAskAtMs({ publishedAtMs, askedAtMs })
  }
  expect(requests).toBe(41)
})

test('a channel that falls due in a few minutes is included', () => {
  const at = (nowMs: number) => isDue({ publishedAtMs, askedAtMs: null }, { nowMs, wantedAtMs: null })
  expect([at(publishedAtMs), at(publishedAtMs + 5 * minuteMs)]).toEqual([false, true])
})

test('a user request makes every channel due once', () => {
  const wantedAtMs = publishedAtMs + 60 * dayMs
  const isDueAt = (askedAtMs: number | null) => isDue({ publishedAtMs, askedAtMs }, { nowMs: wantedAtMs, wantedAtMs })
  expect([isDueAt(null), isDueAt(wantedAtMs - 1), isDueAt(wantedAtMs)]).toEqual([true, true, false])
})

test('the wait grows with each failure', () => {
  expect([0, 1, 2, 3, 4, 99].map(backoffAfter)).toEqual([minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, dayMs, dayMs])
})
