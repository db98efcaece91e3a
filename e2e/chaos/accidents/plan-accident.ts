import type { Plan } from '../plan/plan.ts'
import type { PlannedPost } from '../plan/plan-posts.ts'
import { createRandom, type Random } from '../plan/random.ts'
import { slotsFor } from '../plan/slot.ts'

/** What can happen to the database as a whole. Each needs a stack of its own. */
const accidentKinds = ['database restored', 'database restored, engine emptied', 'standby failover'] as const
type AccidentKind = (typeof accidentKinds)[number]

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
  const dues = accident === 'standby failover' ? [...early, ...lost, ...around] : [...early, ...lost, ...after]
  const posts = dues.map((dueInMs, n) => planPost(random, n, dueInMs))
  return {
    seed,
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

function planPost(random: Random, n: number, dueInMs: number): PlannedPost {
  const kind = random.happens(0.75) ? 'text' : 'photo'
  return {
    n,
    kind,
    atMs: 0,
    slots: random.pickSome(slotsFor(kind), random.between(2, 4)),
    dueInMs,
    isDraft: false,
    isAsync: false,
    hasComment: false,
    parallelRequests: 1,
    retries: true,
    resolves: true,
    steps: [],
  }
}
