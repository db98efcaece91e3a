import { expect, test } from 'vitest'
import { readRetryAfterMs } from './read-retry-after-ms.ts'

const nowMs = Date.UTC(2026, 10, 15, 12)

/** Guarantee: the platform's wait is understood in every header and format in use. */
test.for([
  { form: 'seconds', headers: { 'retry-after': '7' }, waitMs: 7000 },
  { form: 'an HTTP date', headers: { 'retry-after': 'Sun, 15 Nov 2026 12:01:00 GMT' }, waitMs: 60_000 },
  { form: 'seconds since 1970', headers: { 'x-rate-limit-reset': String(nowMs / 1000 + 90) }, waitMs: 90_000 },
  { form: 'an ISO time', headers: { 'x-ratelimit-reset': '2026-11-15T12:05:00.000Z' }, waitMs: 300_000 },
  { form: 'a time in the past', headers: { 'ratelimit-reset': String(nowMs / 1000 - 5) }, waitMs: 0 },
  { form: 'a date in the past', headers: { 'retry-after': 'Sun, 15 Nov 2026 11:59:00 GMT' }, waitMs: 0 },
  { form: 'retry-after before other headers', headers: { 'retry-after': '1', 'ratelimit-reset': '900' }, waitMs: 1000 },
  { form: 'an unreadable header, then the next one', headers: { 'retry-after': 'soon', 'ratelimit-reset': '2' }, waitMs: 2000 },
  { form: 'nothing', headers: {}, waitMs: undefined },
])('$form', ({ headers, waitMs }) => {
  expect(readRetryAfterMs(headers, nowMs)).toBe(waitMs)
})
