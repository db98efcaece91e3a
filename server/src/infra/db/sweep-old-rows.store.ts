import { sql, type RawBuilder } from 'kysely'
import type { Db } from './db.ts'

const batchSize = 2000

/**
 * Deletes rows that have expired, across all workspaces: answers kept for repeated requests (24 h), counters of rate windows that are over,
 * and heartbeats of workers that are gone. One batch per table and call, so that no statement takes long. True when there may be more.
 */
export async function sweepOldRows(system: Db): Promise<boolean> {
  const deleted = [
    await deleteBatch(system, sql`idempotency`, sql`created_at < now() - interval '24 hours'`),
    // One more window of margin: a counter that is about to be used must not disappear under a process whose clock differs.
    await deleteBatch(system, sql`rate_window`, sql`started_at < now() - make_interval(secs => window_ms / 1000.0) * 2`),
    await deleteBatch(system, sql`heartbeat`, sql`at < now() - interval '1 day'`),
  ]
  return deleted.some((count) => count === batchSize)
}

async function deleteBatch(system: Db, table: RawBuilder<unknown>, isOld: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${table}
    where ctid = any (array(
      select ctid
      from ${table}
      where ${isOld}
      limit ${batchSize}
      for update skip locked
    ))`.execute(system)
  return Number(numAffectedRows ?? 0)
}
