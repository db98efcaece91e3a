import type { Witness } from './witness.ts'

/** Reads a stored witness. Throws on anything else: a witness that cannot be read must not count as none. */
export function parseWitness(json: string): Witness {
  const value: unknown = JSON.parse(json)
  if (!isWitness(value)) throw new Error(`this is not a witness: ${json.slice(0, 200)}`)
  return value
}

function isWitness(value: unknown): value is Witness {
  if (typeof value !== 'object' || value === null) return false
  const { systemId, timeline, lsn, epoch, beat, at } = value as Record<string, unknown>
  const areNumbers = [timeline, epoch, beat].every((each) => typeof each === 'number')
  return (
    areNumbers &&
    typeof systemId === 'string' &&
    typeof at === 'string' &&
    typeof lsn === 'string' &&
    /^[\dA-F]+\/[\dA-F]+$/.test(lsn)
  )
}
