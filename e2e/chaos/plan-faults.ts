import type { PlainFault } from '@carillon/simulator'
import type { Chance } from './chance.ts'
import type { Slot } from './plan.ts'

export type FaultRole = 'trouble' | 'refusal' | 'question'

/** A rule for the simulator. `trouble` leaves a send in doubt or late, `refusal` is a clear no, `question` troubles reads and staging. */
export type PlannedFault = Slot & {
  role: FaultRole
  operation: 'submit' | 'find' | 'stage'
  probability: number
  seed: number
  faults: PlainFault[]
}

/** The longest a platform sits on a call before it commits it. */
export const delayMsMax = 2200

/** Each account gets its own weather: some none, some bad. */
export function planFaults(chance: Chance, slots: readonly Slot[]): PlannedFault[] {
  return slots.flatMap((slot): PlannedFault[] => {
    if (chance.hits(0.25)) return []
    const rule = (role: FaultRole, operation: PlannedFault['operation'], probability: number, faults: PlainFault[]) => ({
      ...slot,
      role,
      operation,
      probability,
      seed: chance.between(1, 1_000_000),
      faults,
    })
    return [
      // The refusals come first: the first rule that strikes wins.
      ...(chance.hits(0.4) ? [rule('refusal', 'submit', 0.25, [refusal(slot.platform)])] : []),
      rule('trouble', 'submit', chance.pick([0.15, 0.3, 0.5]), troubles(chance)),
      ...(chance.hits(0.3) ? [rule('question', 'find', 0.3, questions(chance))] : []),
      ...(chance.hits(0.3) ? [rule('question', 'stage', 0.2, questions(chance))] : []),
    ]
  })
}

function refusal(platform: string): PlainFault {
  return { kind: 'status', status: platform === 'mastodon' ? 422 : 400 }
}

function troubles(chance: Chance): PlainFault[] {
  return [
    { kind: 'drop_before' },
    { kind: 'drop_after' },
    { kind: 'status', status: chance.pick([500, 502, 503]), commit: false },
    { kind: 'status', status: chance.pick([500, 502, 504]), commit: true },
    { kind: 'status', status: 429, retryAfterSeconds: 1 },
    { kind: 'delay', ms: chance.between(100, delayMsMax), when: 'after' },
    { kind: 'delay', ms: chance.between(100, delayMsMax), when: 'before' },
  ]
}

function questions(chance: Chance): PlainFault[] {
  return [
    { kind: 'drop_before' },
    { kind: 'status', status: chance.pick([500, 503]) },
    { kind: 'delay', ms: chance.between(100, 800), when: 'after' },
  ]
}
