import type { PlainFault } from '@carillon/simulator'
import { submitFaultKinds, type PlatformFaultKind, type SubmitFaultKind } from './fault-kinds.ts'
import type { Random } from './random.ts'
import { calmSlots, isPage, isSameSlot, type Slot } from './slot.ts'

/** A rule for the simulator. `kinds` are the names of what it can do. */
export type PlannedFault = Slot & {
  kinds: PlatformFaultKind[]
  operation: 'submit' | 'find' | 'stage' | 'check' | 'any'
  fault: { kind: 'random'; seed: number; probability: number; faults: PlainFault[] } | PlannedOutage
}

/** An outage that begins `inMs` after the start of the seed. */
type PlannedOutage = { kind: 'outage'; inMs: number; forMs: number; clock: 'real'; retryAfterSeconds?: number }

/** The longest time that a platform delays a call before it carries it out. */
export const delayMsMax = 2200

/** Plans the faults of each account by itself: a quarter of the accounts get none, and those for punctual posts never do. */
export function planPlatformFaults(random: Random, slots: readonly Slot[]): PlannedFault[] {
  return slots.flatMap((slot): PlannedFault[] => {
    if (calmSlots.some((calm) => isSameSlot(calm, slot)) || random.happens(0.25)) return []
    const rule = (
      operation: PlannedFault['operation'],
      kinds: PlatformFaultKind[],
      probability: number,
      faults: PlainFault[],
    ): PlannedFault => {
      const fault = { kind: 'random' as const, seed: random.between(1, 1_000_000), probability, faults }
      return { ...slot, operation, kinds, fault }
    }
    // A page is connected again by its administrator, which the acceptance tests cover.
    const possible = submitFaultKinds.filter((kind) => kind !== 'expired token' || !isPage(slot))
    const kinds = random.pickSome(possible, random.between(2, 4))
    const faults = kinds.map((kind) => submitFault(random, kind, slot.platform))
    return [
      ...(random.happens(0.12) ? [outage(random, slot)] : []),
      rule('submit', kinds, random.pick([0.3, 0.5, 0.7]), faults),
      ...(random.happens(0.3) ? [rule('find', ['find fails'], 0.4, readFaults(random))] : []),
      ...(random.happens(0.25) ? [rule('stage', ['stage fails'], 0.2, readFaults(random))] : []),
      ...(random.happens(0.3) ? [rule('check', ['check fails'], 0.3, readFaults(random))] : []),
    ]
  })
}

/** Which of twelve seeds have a platform that answers later than a guard lasts, or acts after the caller has given up. Such a seed takes longer. */
const slowSeeds: Readonly<Record<number, Slot>> = {
  4: { workspace: 'eager', platform: 'x', index: 0 },
  10: { workspace: 'eager', platform: 'mastodon', index: 1 },
}
const slowPeriod = 12

/** Delays that are longer than a guard (15 s), and longer than a call may take (30 s). They come before the other faults of the account. */
export function planLongDelays(seed: number): PlannedFault[] {
  const slot = slowSeeds[seed % slowPeriod]
  if (!slot) return []
  const faults: PlainFault[] = [
    { kind: 'delay', ms: 20_000, when: 'after' },
    { kind: 'delay', ms: 40_000, when: 'before' },
  ]
  const kinds: PlatformFaultKind[] = ['delay beyond lease', 'late commit']
  return [{ ...slot, operation: 'submit', kinds, fault: { kind: 'random', seed, probability: 0.5, faults } }]
}

function outage(random: Random, slot: Slot): PlannedFault {
  const fault: PlannedOutage = {
    kind: 'outage',
    inMs: random.between(0, 3000),
    forMs: random.between(2000, 6000),
    clock: 'real',
    ...(random.happens(0.5) && { retryAfterSeconds: 2 }),
  }
  return { ...slot, operation: 'any', kinds: ['outage'], fault }
}

function submitFault(random: Random, kind: SubmitFaultKind, platform: string): PlainFault {
  switch (kind) {
    case 'refusal':
      return { kind: 'status', status: platform === 'mastodon' ? 422 : 400 }
    case 'drop before':
      return { kind: 'drop_before' }
    case 'drop after':
      return { kind: 'drop_after' }
    case 'error before':
      return { kind: 'status', status: random.pick([500, 502, 503]), commit: false }
    case 'error after':
      return { kind: 'status', status: random.pick([500, 502, 504]), commit: true }
    case 'rate limit':
      return { kind: 'status', status: 429, retryAfterSeconds: 1 }
    case 'late call':
      return { kind: 'delay', ms: random.between(100, delayMsMax), when: 'before' }
    case 'late answer':
      return { kind: 'delay', ms: random.between(100, delayMsMax), when: 'after' }
    case 'slow body':
      return { kind: 'slow_body', bytesPerSecond: random.between(150, 800) }
    case 'huge body':
      return { kind: 'huge_body', bytes: random.pick([2_000_000, 20_000_000]) }
    case 'garbage before':
      return { kind: 'garbage', commit: false }
    case 'garbage after':
      return { kind: 'garbage', commit: true }
    case 'hang before':
      return { kind: 'hang', commit: false }
    case 'hang after':
      return { kind: 'hang', commit: true }
    case 'malformed':
      return { kind: 'malformed' }
    case 'expired token':
      return { kind: 'expired_token' }
  }
}

function readFaults(random: Random): PlainFault[] {
  return [
    { kind: 'drop_before' },
    { kind: 'status', status: random.pick([500, 503]) },
    { kind: 'delay', ms: random.between(100, 800), when: 'after' },
    { kind: 'garbage' },
  ]
}
