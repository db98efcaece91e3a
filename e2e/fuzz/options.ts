import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'

export type FuzzOptions = { requests: number; seed: number; parallel: number; only: number | null; stack: string }

/** `--only N` sends only the request with that number, to reproduce a problem that the same seed has found. */
export function readOptions(): FuzzOptions {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '20000' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      parallel: { type: 'string', default: '8' },
      only: { type: 'string' },
      stack: { type: 'string', default: 'fuzz' },
    },
  })
  return {
    requests: Number(values.requests),
    seed: Number(values.seed),
    parallel: Number(values.parallel),
    only: values.only === undefined ? null : Number(values.only),
    stack: values.stack,
  }
}
