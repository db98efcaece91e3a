import { expect, test } from 'vitest'
import { otherFaultKinds, seldomFaultKinds, stackFaultKinds, submitFaultKinds, tokenFaultKinds } from './fault-kinds.ts'
import { kindsOf, makePlan } from './plan.ts'
import { platforms, postKinds, traitsOf } from './platform-traits.ts'
import { calmSlots, isSameSlot } from './slot.ts'

const parts = { workers: ['worker-1', 'worker-2'], engines: ['engine'] } as const
const plansOf = (count: number) => Array.from({ length: count }, (_, n) => makePlan(n + 1, parts))

/** Guarantee: the seeds that every change must pass contain every kind of fault, post and edit that chaos knows. */
test('the first twelve seeds together contain every kind', () => {
  const kinds = new Set(plansOf(12).flatMap(kindsOf))
  const schedules = ['due now', 'due in seconds', 'due in days', 'draft', 'first comment', 'thread', 'parallel creates']
  const twins = ['equal words, together', 'equal words, after', 'equal words, reconnected']
  const edits = [
    'reschedule',
    'bulk reschedule',
    'unschedule',
    'publish',
    'publishNow',
    'delete',
    'retry',
    'resolve',
    'disconnect',
  ]
  const wanted = [
    ...stackFaultKinds,
    ...seldomFaultKinds,
    ...submitFaultKinds,
    ...otherFaultKinds,
    ...tokenFaultKinds,
    ...postKinds.map((kind) => `${kind} post`),
    ...schedules,
    ...twins,
    ...edits,
  ]
  expect(wanted.filter((kind) => !kinds.has(kind))).toEqual([])
})

test('the first forty seeds publish to every platform that has accounts, and fail on every one', () => {
  const withAccounts = platforms.filter((platform) => traitsOf(platform).accounts > 0).toSorted()
  expect(withAccounts.length).toBeGreaterThan(7)
  const plans = plansOf(40)
  const published = plans.flatMap(({ posts }) => posts.flatMap((post) => post.slots.map(({ platform }) => platform)))
  expect([...new Set(published)].toSorted()).toEqual(withAccounts)
  const failing = plans.flatMap(({ platformFaults }) => platformFaults.map(({ platform }) => platform))
  expect([...new Set(failing)].toSorted()).toEqual(withAccounts)
})

test('a seed always gives the same plan, and another seed another', () => {
  expect(makePlan(7, parts)).toEqual(makePlan(7, parts))
  expect(makePlan(7, parts)).not.toEqual(makePlan(8, parts))
})

test('accounts for punctual posts have no faults of their own', () => {
  const faults = plansOf(40).flatMap(({ platformFaults, connectionFaults }) => [...platformFaults, ...connectionFaults])
  expect(faults.filter((fault) => calmSlots.some((slot) => isSameSlot(slot, fault)))).toEqual([])
})

test('most seeds are short: only a long pause takes more than half a minute', () => {
  for (const { stackFaults } of plansOf(60)) {
    const long = stackFaults.filter(({ atMs, forMs }) => atMs + forMs > 30_000)
    expect(long.every(({ kind }) => kind === 'long pause')).toBe(true)
  }
})
