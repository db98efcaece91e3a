import type { Crash } from '../faults/supervisor.ts'
import type { Violation } from '../judge/violation.ts'
import type { FinishedSeed } from '../run-seed.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import { figuresOf, isClean, type Figures } from './figures.ts'
import type { Recorder } from './record-runs.ts'

/** A batch of seeds that has ended. */
export type Batch = {
  seeds: { finished: FinishedSeed; violations: Violation[] }[]
  crashes: Crash[]
  repeated: number
  badSignatures: number
}

/** What a stack has to say about the whole batch. */
export function totalsOf({ supervisor, receiver }: ChaosStack): Omit<Batch, 'seeds'> {
  return { crashes: [...supervisor.crashes], repeated: receiver.repeated, badSignatures: receiver.badSignatures }
}

/** Records and prints the results. Returns whether everything was right. */
export function conclude({ seeds, crashes, repeated, badSignatures }: Batch, recorder: Recorder): boolean {
  for (const { part, atMs } of crashes) console.log(`${part} ended by itself at ${new Date(atMs).toISOString()}; see its log`)
  for (const { finished } of seeds) for (const each of finished.skipped) console.log(`seed ${finished.seed} skipped ${each}`)
  const figures = seeds.map(({ finished, violations }) => figuresOf(finished, violations))
  for (const [n, { finished, violations }] of seeds.entries()) {
    const own = figures[n]
    if (own) recorder.ended('all', { figures: own, skipped: finished.skipped, crashes: crashes.length, violations })
  }
  recorder.concluded({ crashes: crashes.length, badSignatures })
  console.log(`recorded in ${recorder.file}`)
  const sum = (pick: (each: Figures) => number) => figures.reduce((total, each) => total + pick(each), 0)
  const words = [
    `${figures.length} seeds`,
    `${sum((each) => each.channels)} channels`,
    `${sum((each) => each.calls)} calls`,
    `${sum((each) => each.lost)} lost`,
    `${sum((each) => each.doubled)} doubled`,
    `${sum((each) => each.false)} false`,
    `${sum((each) => each.unconfirmed)} unconfirmed (${sum((each) => each.unanswered)} unanswered by the platform)`,
    `${sum((each) => each.timed)} judged for time`,
    `${sum((each) => each.events)} wrong events`,
    `${sum((each) => each.other)} others`,
    `${repeated} repeated deliveries`,
    `${badSignatures} wrong signatures`,
    `${crashes.length} crashes`,
  ]
  console.log(`chaos: ${words.join(', ')}`)
  const broken = figures.filter((each) => !isClean(each)).length
  const isTimed = sum((each) => each.timed) > 0 || !seeds.some(({ finished }) => mustBeTimed(finished))
  if (!isTimed) console.log('✘ no channel was judged for time: a fault excused every one')
  const isGood = isTimed && broken + badSignatures + crashes.length === 0
  console.log(`${figures.length - broken} passed, ${isGood ? 0 : Math.max(1, broken)} failed`)
  return isGood
}

/** On a machine that is busier than this, every fault excuses posts for minutes. */
const slownessForTimeMax = 3

/** A run that judges no punctual post for time would not notice a service that is always late. */
function mustBeTimed({ plan, calmSlowness }: FinishedSeed): boolean {
  return plan.calmPosts.length > 0 && calmSlowness <= slownessForTimeMax
}

/** More late seeds than this are no accident of a busy machine. */
const lateSeedsMax = 2

/** The red seeds of a batch in which nothing but lateness went wrong. */
export function findLateSeeds({ seeds, crashes, badSignatures }: Batch): readonly number[] {
  const red = seeds.filter(({ violations }) => violations.length > 0)
  const isOnlyLate = red.every(({ violations }) => violations.every(({ kind }) => kind === 'late'))
  return isOnlyLate && crashes.length + badSignatures === 0 && red.length <= lateSeedsMax
    ? red.map(({ finished }) => finished.seed)
    : []
}
