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
