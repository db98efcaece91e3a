import { traitsOf, type PostKind } from './platform-traits.ts'
import type { Random } from './random.ts'
import { calmSlots, carefulSlots, slotsFor, type Slot } from './slot.ts'

/** What a client does with a post that it has created. `atMs` counts from the start of the seed. */
export type Step =
  | { atMs: number; action: 'reschedule'; dueInMs: number }
  | { atMs: number; action: 'unschedule' | 'publish' | 'publishNow' | 'delete' }

export type PlannedPost = {
  n: number
  kind: PostKind
  /** Posts with the same name here have the same words. */
  twin?: string
  atMs: number
  slots: Slot[]
  /** Null means immediately. */
  dueInMs: number | null
  isDraft: boolean
  isAsync: boolean
  hasComment: boolean
  /** How many posts follow the first one as a thread. */
  furtherPosts?: number
  /** How many create requests with the same Idempotency-Key are sent at the same time. */
  parallelRequests: number
  /** Whether the client retries failed channels, once. */
  retries: boolean
  /** Whether the client checks the platform for unconfirmed channels and resolves them with what it sees. */
  resolves: boolean
  steps: Step[]
}

/** Every second client changes the time of its post with the request for many posts. */
export function isBulk({ n }: PlannedPost): boolean {
  return n % 2 === 1
}

/** A post that is due in days never falls due during a run, unless a step changes that. */
export const farMs = 3 * 86_400_000

export function planPosts(random: Random): PlannedPost[] {
  const count = random.between(8, 11)
  const posts = Array.from({ length: count }, (_, n) => planPost(random, n))
  const careful = Array.from({ length: random.between(1, 2) }, (_, n) => planCarefulPost(random, count + n))
  return [...posts, ...careful]
}

/** Posts for the end of a seed, when every fault is over: they must be on time. */
export function planCalmPosts(random: Random, n: number): PlannedPost[] {
  return [null, random.between(1000, 2000)].map((dueInMs, at) => ({
    ...plainPost,
    n: n + at,
    atMs: 0,
    slots: calmSlots,
    dueInMs,
    hasComment: dueInMs === null,
  }))
}

export const plainPost = {
  kind: 'text',
  isDraft: false,
  isAsync: false,
  hasComment: false,
  parallelRequests: 1,
  retries: true,
  resolves: true,
  steps: [],
} satisfies Partial<PlannedPost>

function planPost(random: Random, n: number): PlannedPost {
  const kind = planKind(random)
  const atMs = random.between(0, 3000)
  const isDraft = random.happens(0.08)
  const isFar = !isDraft && random.happens(0.12)
  const dueInMs = isFar ? farMs : isDraft || random.happens(0.4) ? null : random.between(600, 4500)
  const slots = random.pickSome(slotsFor(kind), random.between(1, 4))
  const canComment = slots.every(({ platform }) => traitsOf(platform).hasComments)
  return {
    n,
    kind,
    atMs,
    slots,
    dueInMs,
    isDraft,
    isAsync: random.happens(0.5),
    hasComment: canComment && random.happens(0.35),
    parallelRequests: random.happens(0.25) ? random.between(2, 4) : 1,
    retries: random.happens(0.6),
    resolves: random.happens(0.7),
    steps: isFar
      ? planFarSteps(random, atMs)
      : planSteps(random, { atMs, due: dueInMs ?? 0, isDraft, isScheduled: dueInMs !== null }),
  }
}

/** A text on one account of the workspace that holds late posts: with several, the others are sent once one was. */
function planCarefulPost(random: Random, n: number): PlannedPost {
  const slots = random.pickSome(carefulSlots, 1)
  return {
    ...plainPost,
    n,
    atMs: random.between(0, 2000),
    slots,
    dueInMs: random.between(800, 6000),
    isAsync: random.happens(0.5),
  }
}

function planKind(random: Random): PostKind {
  const chance = random.next()
  if (chance < 0.55) return 'text'
  if (chance < 0.73) return 'photo'
  if (chance < 0.84) return 'carousel'
  return chance < 0.93 ? 'video' : 'document'
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

function planFarSteps(random: Random, atMs: number): Step[] {
  const moment = atMs + random.between(300, 3000)
  switch (random.between(0, 3)) {
    case 0:
      return [{ atMs: moment, action: 'reschedule', dueInMs: random.between(300, 3000) }]
    case 1:
      return [{ atMs: moment, action: 'publishNow' }]
    case 2:
      return [
        { atMs: moment, action: 'reschedule', dueInMs: random.between(300, 1500) },
        { atMs: moment + random.between(100, 1500), action: 'reschedule', dueInMs: farMs },
      ]
    default:
      return []
  }
}
