import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { FileMissing, type Storage } from '../storage/storage.ts'

/** How far a database has come. */
export type Position = {
  /** PostgreSQL's system identifier: another one after a dump was loaded into a new cluster. */
  systemId: string
  /** Rises with a failover and with a point-in-time restore. */
  timeline: number
  /** The position in the write-ahead log, for example `0/16B3748`. */
  lsn: string
  /** A higher number each time an operator accepts the database after a fence. */
  epoch: number
  /** Rises with every comparison; committed before the witness learns of it. */
  beat: number
}

/** A position of the database that another store has seen, and when. */
export type Witness = Position & { at: string }

/** True when `seen` was written after `last`: the beat rises within an epoch. */
export function isLater(seen: Position, last: Position): boolean {
  return seen.epoch === last.epoch ? seen.beat > last.beat : seen.epoch > last.epoch
}

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

/** `accepted`: an operator has accepted this database since. `failover`: a standby took over and has everything. */
type Verdict = { isLost: false; kind: 'unchanged' | 'failover' | 'accepted' } | { isLost: true; reason: string }

/** Does the database lack something that it had when the witness saw it? */
export function compareWitness(database: Position, witness: Witness): Verdict {
  if (database.epoch > witness.epoch) return { isLost: false, kind: 'accepted' }
  const reason = lossOf(database, witness)
  if (reason) return { isLost: true, reason: `${reason}, last seen at ${witness.at}` }
  return { isLost: false, kind: database.timeline > witness.timeline ? 'failover' : 'unchanged' }
}

function lossOf(database: Position, witness: Witness): string | null {
  if (database.epoch < witness.epoch) return `the database is of epoch ${database.epoch}, the witness of epoch ${witness.epoch}`
  if (database.systemId !== witness.systemId) return 'the database belongs to another PostgreSQL cluster than the witness'
  if (database.timeline < witness.timeline)
    return `the database is on timeline ${database.timeline}, the witness on timeline ${witness.timeline}`
  if (lsnNumber(database.lsn) < lsnNumber(witness.lsn))
    return `the database is at position ${database.lsn}, the witness at the later position ${witness.lsn}`
  // A restored database that has been written to since may have passed the position, but it cannot have the beats that were lost.
  if (database.beat < witness.beat) return `the database has ${database.beat} beats, the witness has ${witness.beat}`
  return null
}

function lsnNumber(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Not in the folder of any workspace, and never served to anyone. */
const copyKey = '.carillon/witness.json'

/** The copy beside the media files; null when there is none. It is needed when the engine was emptied or set back too. */
export async function readWitnessCopy(storage: Storage): Promise<Witness | null> {
  try {
    return parseWitness(await text(await storage.get(copyKey)))
  } catch (error) {
    if (error instanceof FileMissing) return null
    throw error
  }
}

export async function writeWitnessCopy(storage: Storage, witness: Witness): Promise<void> {
  await storage.put(copyKey, Readable.from([Buffer.from(JSON.stringify(witness))]), { mimeType: 'application/json' })
}
