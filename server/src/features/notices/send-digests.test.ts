import { expect, test } from 'vitest'
import { lastDigestMs } from './send-digests.ts'

/** Guarantee: each day has one digest, also when the clock skips its hour or has it twice. */
test.each([
  ['2027-03-27T12:00:00Z', 'Europe/Berlin'],
  ['2027-10-30T12:00:00Z', 'Europe/Berlin'],
  ['2027-03-13T12:00:00Z', 'America/New_York'],
  ['2027-04-02T12:00:00Z', 'Australia/Lord_Howe'],
  ['2027-01-01T00:00:00Z', 'Pacific/Kiritimati'],
  ['2027-01-01T00:00:00Z', 'Pacific/Pago_Pago'],
])('three days from %s in %s have three digests at each hour', (from, timezone) => {
  const startMs = Date.parse(from)
  for (const hour of [0, 1, 2, 3, 23]) {
    const times = new Set<number>()
    for (let minutes = 0; minutes < 3 * 1440; minutes += 5) {
      const nowMs = startMs + minutes * 60_000
      const dueMs = lastDigestMs({ hour, timezone }, nowMs)
      expect(dueMs).toBeLessThanOrEqual(nowMs)
      if (dueMs >= startMs) times.add(dueMs)
    }
    const days = new Set(
      [...times].map((ms) => new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short' }).format(ms)),
    )
    expect([hour, times.size, days.size]).toEqual([hour, 3, 3])
  }
})
