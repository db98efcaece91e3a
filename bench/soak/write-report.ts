import { join } from 'node:path'
import type { Machine } from '../describe-machine.ts'
import { replaceFile, runsDir, type Outcome } from '../results.ts'
import { round } from '../stats.ts'
import { plot, type Panel } from './plot.ts'
import type { Sample } from './series.ts'
import type { Firing } from './watch-alerts.ts'

export type Report = {
  startMs: number
  minutes: number
  warmUpMinutes: number
  isComplete: boolean
  machine: Machine
  outcome: Outcome
  samples: readonly Sample[]
  panels: readonly Panel[]
  firings: readonly Firing[]
}

const pointsMax = 60

/** Writes the figures and the diagrams of a run. Every call replaces the files, so that an interrupted run leaves its last state. */
export async function writeReport(report: Report): Promise<string> {
  const { startMs, minutes, warmUpMinutes, isComplete, machine, outcome, samples, panels, firings } = report
  const date = new Date(startMs).toISOString()
  const file = join(runsDir, `soak-${date.slice(0, 16).replaceAll(/[T:]/g, '-')}`)
  const { figure, goals, settings, data } = outcome
  const run = { scenario: 'soak', date, isComplete, machine, settings, figure, goals, data, series: thinOut(samples) }
  await replaceFile(`${file}.json`, `${JSON.stringify(run, null, 1).replaceAll(/\n\s+(?=(?:-?[\d.]+|null)(?:,|\n))/g, ' ')}\n`)
  const title = `Soak of ${round(minutes, 0)} minutes, ${date.slice(0, 16).replace('T', ' ')} UTC${isComplete ? '' : ' (not finished)'}`
  await replaceFile(`${file}.svg`, plot({ title, minutes, warmUpMinutes, panels, firings }))
  return `${file}.json`
}

/** At most sixty moments: the diagrams have all of them. */
function thinOut(samples: readonly Sample[]): { minutes: number[]; values: Record<string, (number | null)[]> } {
  const step = Math.max(1, Math.ceil(samples.length / pointsMax))
  const kept = samples.filter((_, at) => at % step === 0 || at === samples.length - 1)
  const names = [...new Set(kept.flatMap(({ values }) => Object.keys(values)))].toSorted()
  const values = names.map((name) => [name, kept.map((sample) => short(sample.values[name]))] as const)
  return { minutes: kept.map(({ minute }) => round(minute, 1)), values: Object.fromEntries(values) }
}

function short(value: number | undefined): number | null {
  if (value === undefined) return null
  return Math.abs(value) >= 100 ? Math.round(value) : round(value, 3)
}
