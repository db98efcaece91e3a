import { createChance, type Chance } from './chance.ts'
import { planFaults, type PlannedFault } from './plan-faults.ts'

/** One of a seed's accounts: the platform, and which of that platform's accounts. */
export type Slot = { platform: string; at: number }

/** What a client does with a post it has created, this long after the seed began. */
export type Step =
  | { atMs: number; does: 'reschedule'; dueInMs: number }
  | { atMs: number; does: 'unschedule' | 'publish' | 'publishNow' | 'delete' }

export type PlannedPost = {
  n: number
  atMs: number
  slots: Slot[]
  /** Null means at once. */
  dueInMs: number | null
  isDraft: boolean
  isAsync: boolean
  hasComment: boolean
  /** How many requests with the same Idempotency-Key are sent side by side. */
  racers: number
  /** Failed channels are sent again by the client, once. */
  retries: boolean
  steps: Step[]
}

export type Kill = { atMs: number; part: string; downMs: number }

export type Plan = { seed: number; posts: PlannedPost[]; faults: PlannedFault[]; kills: Kill[] }

export const platforms = ['bluesky', 'mastodon', 'threads', 'x'] as const
export const accountsEach = 2
export const slots: Slot[] = platforms.flatMap((platform) => Array.from({ length: accountsEach }, (_, at) => ({ platform, at })))

/** Everything a seed will do, before it does it. Nothing here looks at a clock, so the same seed is the same plan. */
export function makePlan(seed: number, parts: { each: readonly string[]; always: readonly string[] }): Plan {
  const chance = createChance(seed)
  const posts = Array.from({ length: chance.between(7, 11) }, (_, n) => planPost(chance, n))
  return { seed, posts, faults: planFaults(chance, slots), kills: planKills(chance, parts) }
}

function planPost(chance: Chance, n: number): PlannedPost {
  const atMs = chance.between(0, 2500)
  const isDraft = chance.hits(0.08)
  const dueInMs = isDraft || chance.hits(0.4) ? null : chance.between(600, 4500)
  const due = dueInMs ?? 0
  return {
    n,
    atMs,
    slots: chance.some(slots, chance.between(1, 4)),
    dueInMs,
    isDraft,
    isAsync: chance.hits(0.5),
    hasComment: chance.hits(0.2),
    racers: chance.hits(0.25) ? chance.between(2, 4) : 1,
    retries: chance.hits(0.6),
    steps: planSteps(chance, { atMs, due, isDraft, isScheduled: dueInMs !== null }),
  }
}

type Begun = { atMs: number; due: number; isDraft: boolean; isScheduled: boolean }

function planSteps(chance: Chance, { atMs, due, isDraft, isScheduled }: Begun): Step[] {
  const soon = atMs + chance.between(100, 1500)
  if (isDraft) return chance.hits(0.6) ? [{ atMs: soon, does: 'publish' }] : []
  if (!isScheduled) return chance.hits(0.12) ? [{ atMs: atMs + chance.between(0, 800), does: 'delete' }] : []
  // Half of the steps are aimed at the due moment itself, where a cancel and the send meet.
  const moment = chance.hits(0.5) ? Math.max(atMs + 50, atMs + due + chance.between(-150, 150)) : soon
  switch (chance.between(0, 9)) {
    case 0:
    case 1:
      return [{ atMs: moment, does: 'reschedule', dueInMs: chance.between(300, 4000) }]
    case 2:
      return [{ atMs: moment, does: 'unschedule' }]
    case 3:
      return [
        { atMs: moment, does: 'unschedule' },
        { atMs: moment + chance.between(50, 1500), does: 'publish' },
      ]
    case 4:
      return [{ atMs: moment, does: 'publishNow' }]
    case 5:
      return [{ atMs: moment, does: 'delete' }]
    case 6:
      return [
        { atMs: soon, does: 'reschedule', dueInMs: chance.between(300, 3000) },
        { atMs: soon + chance.between(100, 1500), does: chance.pick(['unschedule', 'publishNow', 'delete']) },
      ]
    default:
      return []
  }
}

function planKills(chance: Chance, { each, always }: { each: readonly string[]; always: readonly string[] }): Kill[] {
  const kill = (part: string): Kill => ({ atMs: chance.between(200, 5000), part, downMs: chance.between(200, 2000) })
  const [first = 'worker', ...rest] = each
  const certain = always.length > 0 ? [kill(chance.pick([always[0] ?? first, ...always.slice(1)]))] : []
  const count = chance.between(1, 3) - certain.length
  const others = Array.from({ length: count }, () => kill(chance.pick([first, ...rest])))
  return [...certain, ...others].toSorted((a, b) => a.atMs - b.atMs)
}
