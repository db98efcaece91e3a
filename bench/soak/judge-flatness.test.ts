import { expect, test } from 'vitest'
import { judgeFlatness } from './judge-flatness.ts'

/** Two hours with a sample every 30 seconds. */
function verdictOf(name: string, valueAt: (minute: number) => number) {
  const samples = Array.from({ length: 241 }, (_, n) => ({ minute: n / 2, values: { [name]: valueAt(n / 2) } }))
  const [verdict] = judgeFlatness(samples, 20)
  return verdict
}

const warmUp = (level: number) => (minute: number) => Math.min(level, (level * minute) / 15)

test('guarantee: what fills during the warm-up and then stays is flat', () => {
  expect(verdictOf('rows live_event', warmUp(6000))).toMatchObject({ isFlat: true, level: 6000, share: 0 })
})

test('guarantee: rows that are swept every ten minutes are flat, although their number rises most of the time', () => {
  expect(verdictOf('rows idempotency', (minute) => 600 + (minute % 10) * 120)).toMatchObject({ isFlat: true })
})

test('guarantee: rows that are never swept are not flat', () => {
  expect(verdictOf('rows idempotency', (minute) => minute * 120)).toMatchObject({ isFlat: false })
})

test('guarantee: a leak below the saw of the garbage collections is found in the heap', () => {
  const saw = (minute: number) => 60e6 + ((minute * 7) % 5) * 8e6
  expect(verdictOf('heap worker', saw)).toMatchObject({ isFlat: true })
  expect(verdictOf('heap worker', (minute) => saw(minute) + minute * 100_000)).toMatchObject({ isFlat: false })
})

test('a rise below the floor of its kind is flat, and so is a fall', () => {
  expect(verdictOf('rows heartbeat', (minute) => 1 + minute / 60)).toMatchObject({ isFlat: true })
  expect(verdictOf('memory api', (minute) => 200e6 - minute * 400_000)).toMatchObject({ isFlat: true })
})

test('a series without a rule is not judged', () => {
  expect(verdictOf('shown load', (minute) => minute)).toBeUndefined()
})
