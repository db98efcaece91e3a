import { parseArgs } from 'node:util'

export type Options = { seeds: number[]; isCluster: boolean; keepsStack: boolean; isReplay: boolean }

const seedsDefault = { one: 20, cluster: 10 }

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: args.filter((arg) => arg !== '--'),
    options: {
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      cluster: { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  })
  const count = number(values.seeds ?? String(values.cluster ? seedsDefault.cluster : seedsDefault.one), '--seeds')
  if (count === 0) throw new Error('--seeds must be at least 1: a run without seeds tests nothing')
  const from = number(values.from, '--from')
  const seeds = values.seed === undefined ? Array.from({ length: count }, (_, n) => from + n) : [number(values.seed, '--seed')]
  return { seeds, isCluster: values.cluster, keepsStack: values.keep, isReplay: values.seed !== undefined }
}

function number(text: string, name: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0) throw new Error(`${name} must be a whole number, not "${text}"`)
  return value
}
