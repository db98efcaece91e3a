import { platforms } from '@carillon/contract'
import { expect, test } from 'vitest'
import { otherFaultKinds, seldomFaultKinds, stackFaultKinds, submitFaultKinds, tokenFaultKinds } from './fault-kinds.ts'
import { kindsOf, makePlan, type Plan } from './plan.ts'
import { postKinds, traitsOf } from './platform-traits.ts'
import { calmSlots, isSameSlot, type Reach } from './slot.ts'

const parts = { workers: ['worker-1', 'worker-2'], engines: ['engine'] } as const
const plansOf = (count: number, reach: Reach = 'usual') => Array.from({ length: count }, (_, n) => makePlan(n + 1, parts, reach))
const publishedBy = ({ posts }: Plan) => posts.flatMap((post) => post.slots.map(({ platform }) => platform))
const sortedSet = (names: readonly string[]) => [...new Set(names)].toSorted()
const isUsual = (platform: (typeof platforms)[number]) => traitsOf(platform).isLeftOut !== true

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

/** Guarantee: no platform is without chaos. The contract has the list, so a new one is covered, or this fails. */
test.each([
  ['usual', platforms.filter(isUsual)],
  ['all', platforms],
] as const)('forty seeds of --platforms %s publish to every one of them, and fail on every one', (reach, wanted) => {
  const plans = plansOf(40, reach)
  expect(sortedSet(plans.flatMap(publishedBy))).toEqual(sortedSet(wanted))
  const failing = plans.flatMap(({ platformFaults }) => platformFaults.map(({ platform }) => platform))
  expect(sortedSet(failing)).toEqual(sortedSet(wanted))
})

test('with all platforms every seed publishes to those that it leaves out otherwise, and its other posts stay as they are', () => {
  const leftOut = platforms.filter((platform) => !isUsual(platform))
  expect(leftOut.length).toBeGreaterThan(0)
  for (const [n, plan] of plansOf(12, 'all').entries()) {
    expect(publishedBy(plan)).toEqual(expect.arrayContaining(leftOut))
    expect(new Set(plan.posts.map((post) => post.n)).size).toBe(plan.posts.length)
    const usual = makePlan(n + 1, parts)
    expect(plan.posts.slice(0, usual.posts.length)).toEqual(usual.posts)
  }
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
