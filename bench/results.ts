import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describeMachine } from './describe-machine.ts'

/** A figure and its goal. */
export type Goal = { name: string; value: number; goal: string; ok: boolean }

export type Outcome = {
  /** The line that is printed last. */
  figure: string
  goals: Goal[]
  settings: Record<string, unknown>
  /** All measured values. */
  data: Record<string, unknown>
}

export const resultsDir = join(import.meta.dirname, 'results')

export function atMost(name: string, value: number, limit: number): Goal {
  return { name, value, goal: `<= ${limit}`, ok: value <= limit }
}

export function atLeast(name: string, value: number, limit: number): Goal {
  return { name, value, goal: `>= ${limit}`, ok: value >= limit }
}

export async function writeResult(scenario: string, outcome: Outcome): Promise<string> {
  await mkdir(resultsDir, { recursive: true })
  const file = join(resultsDir, `${scenario}.json`)
  const { figure, goals, settings, data } = outcome
  const whole = { scenario, date: new Date().toISOString(), machine: describeMachine(), settings, figure, goals, data }
  await writeFile(file, `${JSON.stringify(whole, null, 1)}\n`)
  return file
}
