import { parseArgs } from 'node:util'
import type { Reach } from './plan/slot.ts'

export type Mode = 'two' | 'single' | 'cluster'

export type Options = {
  seeds: number[]
  mode: Mode
  keepsStack: boolean
  planOnly: boolean
  hasAccidents: boolean
  together: number
  reach: Reach
}

/** The twelve seeds that together contain every kind of fault; a test of the plan asserts that. */
const seedsDefault = 12
/** How many seeds run at the same time. */
const togetherDefault = 4
/** One for each kind of accident. */
const accidentsDefault = 4

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      together: { type: 'string', default: String(togetherDefault) },
      single: { type: 'boolean', default: false },
      cluster: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      accidents: { type: 'boolean', default: false },
      platforms: { type: 'string', default: 'usual' },
      plan: { type: 'boolean', default: false },
    },
  })
  if (values.accidents && (values.single || values.cluster)) throw new Error('--accidents has a stack of its own')
  if (values.single && values.cluster) throw new Error('--single and --cluster cannot be combined')
  const { platforms } = values
  if (platforms !== 'usual' && platforms !== 'all') throw new Error(`--platforms is usual or all, not "${platforms}"`)
  if (values.accidents && platforms === 'all') throw new Error('--accidents has posts on the usual platforms only')
  const count = number(values.seeds ?? String(values.accidents ? accidentsDefault : seedsDefault), '--seeds')
  if (count === 0) throw new Error('--seeds must be at least 1: a run without seeds tests nothing')
  const from = number(values.from, '--from')
  const together = Math.max(1, number(values.together, '--together'))
  const seeds = values.seed === undefined ? Array.from({ length: count }, (_, n) => from + n) : [number(values.seed, '--seed')]
  const mode = values.single ? 'single' : values.cluster ? 'cluster' : 'two'
  return {
    seeds,
    mode,
    keepsStack: values.keep,
    planOnly: values.plan,
    hasAccidents: values.accidents,
    together,
    reach: platforms,
  }
}

function number(text: string, name: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not "${text}"`)
  return value
}
