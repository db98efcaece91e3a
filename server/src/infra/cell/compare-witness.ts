import type { Position, Witness } from './witness.ts'

/** `accepted`: an operator has accepted this database since. `failover`: a standby took over and has everything. */
export type Verdict = { isLost: false; kind: 'unchanged' | 'failover' | 'accepted' } | { isLost: true; reason: string }

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
