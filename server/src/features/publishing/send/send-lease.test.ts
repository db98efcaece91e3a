import { expect, test } from 'vitest'
import { LeaseExpired, leaseMs, startLease } from './send-lease.ts'

/** Guarantee: a process that was paused after setting a guard does not send. */
test('a lease ends on either clock', () => {
  const now = { wall: 1_000_000, monotonic: 5_000 }
  const lease = startLease({ wallMs: () => now.wall, monotonicMs: () => now.monotonic })
  now.wall += leaseMs
  now.monotonic += leaseMs
  expect(() => lease.assertValid()).not.toThrow()
  now.monotonic += 1
  expect(() => lease.assertValid()).toThrow(LeaseExpired)
  now.monotonic -= 1
  now.wall += 1
  expect(() => lease.assertValid()).toThrow(LeaseExpired)
})

test('a wall clock that is set back ends it too: the time that passed is not known', () => {
  const now = { wall: 1_000_000 }
  const lease = startLease({ wallMs: () => now.wall, monotonicMs: () => 0 })
  now.wall -= leaseMs + 1
  expect(() => lease.assertValid()).toThrow(LeaseExpired)
})
