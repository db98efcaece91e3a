import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Machine } from './describe-machine.ts'
import { round } from './stats.ts'

/** A figure and its goal. */
export type Goal = { name: string; value: number; goal: string; ok: boolean }

export type Outcome = {
  /** The line that is printed last. */
  figure: string
  goals: Goal[]
  settings: Record<string, unknown>
  /** All measured values. */
  data: Record<string, unknown>
  /** The file in which the scenario has stored the whole run itself. */
  file?: string
}

/** Whole runs, with all measured values. They stay on the machine: a run has up to 400 kB. */
export const runsDir = join(import.meta.dirname, 'runs')
/** The history of every scenario, in the repository. */
const resultsDir = join(import.meta.dirname, 'results')

export function atMost(name: string, value: number, limit: number): Goal {
  return { name, value, goal: `<= ${limit}`, ok: value <= limit }
}

export function atLeast(name: string, value: number, limit: number): Goal {
  return { name, value, goal: `>= ${limit}`, ok: value >= limit }
}

const looseFactor = 30

/** The goal of a short run: thirty times as loose, because the run is small and the machine is shared. A limit of zero stays zero. */
export function loosen({ name, value, goal }: Goal): Goal {
  const limit = Number(goal.slice(3))
  return goal.startsWith('<=') ? atMost(name, value, limit * looseFactor) : atLeast(name, value, round(limit / looseFactor))
}

type Summary = { scenario: string; date: string; machine: Machine } & Pick<Outcome, 'settings' | 'figure' | 'goals'>

/** Stores a run with all measured values, unless the scenario did so itself, and appends its figures to the history of the scenario. */
export async function storeRun(
  { scenario, machine, outcome }: { scenario: string; machine: Machine; outcome: Outcome },
  folders = { runs: runsDir, results: resultsDir },
): Promise<{ file: string; history: string }> {
  const { figure, goals, settings, data } = outcome
  const date = new Date().toISOString()
  const summary: Summary = { scenario, date, machine, settings, figure, goals }
  const file = outcome.file ?? join(folders.runs, `${scenario}-${date.slice(0, 23).replaceAll(/[T:.]/g, '-')}.json`)
  if (outcome.file === undefined) await replaceFile(file, `${JSON.stringify({ ...summary, data })}\n`)
  const history = join(folders.results, `${scenario}.json`)
  await appendSummary(history, summary)
  return { file, history }
}

/** The history is a JSON array with one run on each line. Runs are never removed or replaced. */
async function appendSummary(file: string, summary: Summary): Promise<void> {
  const lines = [...(await readRuns(file)), summary].map((each) => JSON.stringify(each))
  await replaceFile(file, `[\n${lines.join(',\n')}\n]\n`)
}

/** The new file replaces the old one in one step, so that an interrupted run does not damage what is there. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}

async function readRuns(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  const runs: unknown = JSON.parse(text)
  if (!Array.isArray(runs)) throw new Error(`${file} must contain a list of runs`)
  return runs
}
