import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  /** The file in which the scenario has stored the run itself. Otherwise the run is appended to the history of the scenario. */
  file?: string
}

export const resultsDir = join(import.meta.dirname, 'results')

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

type Run = { scenario: string; date: string; machine: Machine } & Pick<Outcome, 'settings' | 'figure' | 'goals' | 'data'>

/** Appends a run to the history of its scenario: a JSON array with one run on each line. Runs are never removed or replaced. */
export async function appendResult(scenario: string, machine: Machine, outcome: Outcome): Promise<string> {
  await mkdir(resultsDir, { recursive: true })
  const file = join(resultsDir, `${scenario}.json`)
  const { figure, goals, settings, data } = outcome
  const run: Run = { scenario, date: new Date().toISOString(), machine, settings, figure, goals, data }
  const lines = [...(await readRuns(file)), run].map((each) => JSON.stringify(each))
  // The new file replaces the old one in one step, so that an interrupted run does not damage the history.
  await writeFile(`${file}.new`, `[\n${lines.join(',\n')}\n]\n`)
  await rename(`${file}.new`, file)
  return file
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
