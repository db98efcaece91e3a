import { expect, test } from 'vitest'
import type { Violation } from '../judge/violation.ts'
import type { FinishedSeed } from '../run-seed.ts'
import { findLateSeeds } from './conclude.ts'

const seed = (number: number, ...kinds: Violation['kind'][]) => ({
  finished: { seed: number } as FinishedSeed,
  violations: kinds.map((kind): Violation => ({ kind, text: 'a post', detail: 'why' })),
})
const late = (seeds: ReturnType<typeof seed>[], more: object = {}) =>
  findLateSeeds({ seeds, crashes: [], repeated: 0, badSignatures: 0, ...more })

/** Guarantee: only lateness may depend on the machine. What is lost, doubled or untrue is never tried again. */
test('seeds that were late and nothing else are tried again alone', () => {
  expect(late([seed(1), seed(2, 'late', 'late'), seed(3, 'late')])).toEqual([2, 3])
  expect(late([seed(1), seed(2)])).toEqual([])
  expect(late([seed(1, 'late'), seed(2, 'late'), seed(3, 'late')])).toEqual([])
  for (const kind of ['lost', 'doubled', 'early', 'mismatch', 'stuck', 'event'] as const)
    expect([kind, late([seed(1, 'late', kind)]), late([seed(1, 'late'), seed(2, kind)])]).toEqual([kind, [], []])
  expect(late([seed(1, 'late')], { badSignatures: 1 })).toEqual([])
  expect(late([seed(1, 'late')], { crashes: [{ part: 'worker-1', atMs: 1 }] })).toEqual([])
})
