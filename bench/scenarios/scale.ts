import type { Options } from '../options.ts'
import { atLeast, atMost, type Goal, type Outcome } from '../results.ts'
import { scaleApis } from '../scale/scale-apis.ts'
import { scaleWorkers, type ScaleRound } from '../scale/scale-workers.ts'
import { median, round } from '../stats.ts'

const counts = [1, 2, 4]
const linearGoal = 0.8

/**
 * One, two and four workers drain the same burst, and one, two and four API processes accept posts. Each of these processes gets the same part
 * of a processor core, so that a machine with few cores can show what more processes bring. PostgreSQL, the engine and the simulator are not
 * limited.
 */
export async function scale({
  channels = 4000,
  rounds = 2,
  seconds = 6,
  leadSeconds = 20,
  share = 0.25,
}: Options): Promise<Outcome> {
  const workers = await scaleWorkers({ channels, rounds, leadMs: leadSeconds * 1000, share, counts })
  const apis = await scaleApis({ rounds, seconds, share, counts })
  const sides = [
    { name: 'workers', unit: 'channels', measured: workers },
    { name: 'APIs', unit: 'posts', measured: apis },
  ]
  const goals: Goal[] = sides.flatMap(({ name, measured }) => [
    ...counts
      .slice(1)
      .map((count) => atLeast(`${count} ${name}, part of linear growth`, partOfLinear(measured, count), linearGoal)),
    atMost(
      `${name}: not done`,
      measured.reduce((sum, { left }) => sum + left, 0),
      0,
    ),
  ])
  const words = sides.map(({ name, unit, measured }) => {
    const rates = counts.map((count) => `${count}: ${Math.round(rateOf(measured, count))}`)
    const parts = counts.slice(1).map((count) => partOfLinear(measured, count))
    return `${name} at ${share} of a core each, ${unit} a second ${rates.join(', ')}; ${parts.join(' and ')} of linear`
  })
  return {
    figure: `scale: ${words.join('; ')}`,
    goals,
    settings: { channels, rounds, seconds, leadSeconds, share, counts, fsync: true },
    data: { workers, apis },
  }
}

function rateOf(measured: readonly ScaleRound[], processes: number): number {
  return median(measured.filter((each) => each.processes === processes).map(({ perSecond }) => perSecond))
}

function partOfLinear(measured: readonly ScaleRound[], processes: number): number {
  return round(rateOf(measured, processes) / (rateOf(measured, 1) * processes))
}
