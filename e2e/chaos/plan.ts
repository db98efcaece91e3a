import { planFaults, type PlannedFault } from './plan-faults.ts'
import { createRandom, type Random } from './random.ts'
import { slots, type Slot } from './slot.ts'

/** What a client does with a post that it has created. `atMs` counts from the start of the seed. */
export type Step =
  | { atMs: number; action: 'reschedule'; dueInMs: number }
  | { atMs: number; action: 'unschedule' | 'publish' | 'publishNow' | 'delete' }

export type PlannedPost = {
  n: number
  atMs: number
  slots: Slot[]
  /** Null means immediately. */
  dueInMs: number | null
  isDraft: boolean
  isAsync: boolean
  hasComment: boolean
  /** How many create requests with the same Idempotency-Key are sent at the same time. */
  parallelRequests: number
  /** Whether the client retries failed channels, once. */
  retries: boolean
  steps: Step[]
}

export type Kill = { atMs: number; part: string; downMs: number }

export type Plan = { seed: number; posts: PlannedPost[]; faults: PlannedFault[]; kills: Kill[] }

/** Plans everything that a seed will do. The plan depends on no clock, so the same seed always gives the same plan. */
export function makePlan(seed: number, parts: { each: readonly string[]; always: readonly string[] }): Plan {
  const random = createRandom(seed)
  const posts = Array.from({ length: random.between(7, 11) }, (_, n) => planPost(random, n))
  return { seed, posts, faults: planFaults(random, slots), kills: planKills(random, parts) }
}

function planPost(random: Random, n: number): PlannedPost {
  const atMs = random.between(0, 2500)
  const isDraft = random.happens(0.08)
  const dueInMs = isDraft || random.happens(0.4) ? null : random.between(600, 4500)
  const due = dueInMs ?? 0
  return {
    n,
    atMs,
    slots: random.pickSome(slots, random.between(1, 4)),
    dueInMs,
    isDraft,
    isAsync: random.happens(0.5),
    hasComment: random.happens(0.2),
    parallelRequests: random.happens(0.25) ? random.between(2, 4) : 1,
    retries: random.happens(0.6),
    steps: planSteps(random, { atMs, due, isDraft, isScheduled: dueInMs !== null }),
  }
}

type StepContext = { atMs: number; due: number; isDraft: boolean; isScheduled: boolean }

function planSteps(random: Random, { atMs, due, isDraft, isScheduled }: StepContext): Step[] {
  const soon = atMs + random.between(100, 1500)
  if (isDraft) return random.happens(0.6) ? [{ atMs: soon, action: 'publish' }] : []
  if (!isScheduled) return random.happens(0.12) ? [{ atMs: atMs + random.between(0, 800), action: 'delete' }] : []
  // Half of the steps happen around the due time itself, where a cancel and the send compete.
  const moment = random.happens(0.5) ? Math.max(atMs + 50, atMs + due + random.between(-150, 150)) : soon
  switch (random.between(0, 9)) {
    case 0:
    case 1:
      return [{ atMs: moment, action: 'reschedule', dueInMs: random.between(300, 4000) }]
    case 2:
      return [{ atMs: moment, action: 'unschedule' }]
    case 3:
      return [
        { atMs: moment, action: 'unschedule' },
        { atMs: moment + random.between(50, 1500), action: 'publish' },
      ]
    case 4:
      return [{ atMs: moment, action: 'publishNow' }]
    case 5:
      return [{ atMs: moment, action: 'delete' }]
    case 6:
      return [
        { atMs: soon, action: 'reschedule', dueInMs: random.between(300, 3000) },
        { atMs: soon + random.between(100, 1500), action: random.pick(['unschedule', 'publishNow', 'delete']) },
      ]
    default:
      return []
  }
}

function planKills(random: Random, { each, always }: { each: readonly string[]; always: readonly string[] }): Kill[] {
  const kill = (part: string): Kill => ({ atMs: random.between(200, 5000), part, downMs: random.between(200, 2000) })
  const [first = 'worker', ...rest] = each
  const certain = always.length > 0 ? [kill(random.pick([always[0] ?? first, ...always.slice(1)]))] : []
  const count = random.between(1, 3) - certain.length
  const others = Array.from({ length: count }, () => kill(random.pick([first, ...rest])))
  return [...certain, ...others].toSorted((a, b) => a.atMs - b.atMs)
}
