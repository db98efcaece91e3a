import type { Plan } from '../plan/plan.ts'
import { plainPost, type PlannedPost } from '../plan/plan-posts.ts'
import { createRandom, type Random } from '../plan/random.ts'
import { carefulSlots, slotsFor } from '../plan/slot.ts'

/** What can happen to the database or the machine as a whole. Each needs a stack of its own. */
const accidentKinds = ['database restored', 'database restored, engine emptied', 'standby failover', 'an hour asleep'] as const
type AccidentKind = (typeof accidentKinds)[number]

export const sleepMs = 3_600_000

export type AccidentPlan = Plan & { accident: AccidentKind; backupAtMs: number; accidentAtMs: number }

/** The kinds take turns. Before the backup, between it and the accident, and long after it, posts fall due. */
export function planAccident(seed: number): AccidentPlan {
  const random = createRandom(seed)
  const accident = accidentKinds[Math.max(0, seed - 1) % accidentKinds.length] ?? 'standby failover'
  const backupAtMs = random.between(4000, 7000)
  const accidentAtMs = backupAtMs + random.between(20_000, 30_000)
  const early = Array.from({ length: 2 }, () => random.between(500, backupAtMs - 1500))
  const lost = Array.from({ length: 5 }, () => random.between(backupAtMs + 1000, accidentAtMs - 10_000))
  const around = [random.between(accidentAtMs - 3000, accidentAtMs + 3000)]
  // The time that counts as lost ends about a minute after the accident.
  const after = Array.from({ length: 2 }, () => accidentAtMs + random.between(110_000, 130_000))
  // A loss of less than eight seconds is not recognised, and what was sent last before it might be sent again.
  const dues = {
    'standby failover': [...early, ...lost, ...around],
    'database restored': [...early, ...lost, ...after],
    'database restored, engine emptied': [...early, ...lost, ...after],
    'an hour asleep': [
      ...early,
      ...around,
      ...missed(random, accidentAtMs),
      accidentAtMs + sleepMs + random.between(20_000, 30_000),
    ],
  }[accident]
  const posts = dues.map((dueInMs, n) => planPost(random, n, dueInMs))
  // This one becomes so late that its workspace does not want it any more.
  if (accident === 'an hour asleep')
    posts.push({ ...planPost(random, posts.length, accidentAtMs + 600_000), kind: 'text', slots: carefulSlots })
  return {
    seed,
    reach: 'usual',
    posts,
    calmPosts: [],
    platformFaults: [],
    connectionFaults: [],
    stackFaults: [],
    accident,
    backupAtMs,
    accidentAtMs,
  }
}

/** Times that pass while the machine sleeps, some of them minutes apart and some at the same moment. */
function missed(random: Random, accidentAtMs: number): number[] {
  const together = accidentAtMs + random.between(60_000, 600_000)
  return [together, together, ...Array.from({ length: 4 }, () => accidentAtMs + random.between(600_000, sleepMs - 60_000))]
}

function planPost(random: Random, n: number, dueInMs: number): PlannedPost {
  const kind = random.happens(0.75) ? 'text' : 'photo'
  return {
    ...plainPost,
    n,
    kind,
    atMs: 0,
    slots: random.pickSome(slotsFor(kind), random.between(2, 4)),
    dueInMs,
  }
}
