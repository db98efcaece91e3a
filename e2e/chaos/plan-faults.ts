import type { PlainFault } from '@carillon/simulator'
import type { Random } from './random.ts'
import type { Slot } from './slot.ts'

type FaultRole = 'trouble' | 'refusal' | 'question'

/**
 * A fault rule for the simulator. `trouble` makes a send late or leaves its outcome unknown, `refusal` rejects a send, `question` makes
 * lookups and staging fail.
 */
export type PlannedFault = Slot & {
  role: FaultRole
  operation: 'submit' | 'find' | 'stage'
  probability: number
  seed: number
  faults: PlainFault[]
}

/** The longest time that a platform delays a call before it commits it. */
export const delayMsMax = 2200

/** Plans the faults of each account by itself: a quarter of the accounts get none. */
export function planFaults(random: Random, slots: readonly Slot[]): PlannedFault[] {
  return slots.flatMap((slot): PlannedFault[] => {
    if (random.happens(0.25)) return []
    const rule = (role: FaultRole, operation: PlannedFault['operation'], probability: number, faults: PlainFault[]) => ({
      ...slot,
      role,
      operation,
      probability,
      seed: random.between(1, 1_000_000),
      faults,
    })
    return [
      // Refusals come first: the simulator applies the first rule that matches.
      ...(random.happens(0.4) ? [rule('refusal', 'submit', 0.25, [refusal(slot.platform)])] : []),
      rule('trouble', 'submit', random.pick([0.15, 0.3, 0.5]), troubles(random)),
      ...(random.happens(0.3) ? [rule('question', 'find', 0.3, questions(random))] : []),
      ...(random.happens(0.3) ? [rule('question', 'stage', 0.2, questions(random))] : []),
    ]
  })
}

function refusal(platform: string): PlainFault {
  return { kind: 'status', status: platform === 'mastodon' ? 422 : 400 }
}

function troubles(random: Random): PlainFault[] {
  return [
    { kind: 'drop_before' },
    { kind: 'drop_after' },
    { kind: 'status', status: random.pick([500, 502, 503]), commit: false },
    { kind: 'status', status: random.pick([500, 502, 504]), commit: true },
    { kind: 'status', status: 429, retryAfterSeconds: 1 },
    { kind: 'delay', ms: random.between(100, delayMsMax), when: 'after' },
    { kind: 'delay', ms: random.between(100, delayMsMax), when: 'before' },
  ]
}

function questions(random: Random): PlainFault[] {
  return [
    { kind: 'drop_before' },
    { kind: 'status', status: random.pick([500, 503]) },
    { kind: 'delay', ms: random.between(100, 800), when: 'after' },
  ]
}
