import { sql, type RawBuilder } from 'kysely'
import type { Db } from './db.ts'

const batchSize = 2000

/**
 * Deletes rows that have expired, across all workspaces: answers kept for repeated requests (24 h), counters of rate windows, request windows
 * and quotas that are over, connect flows with the tokens that were not confirmed, heartbeats of workers that are gone, and entries of the
 * event log (30 days). One batch per table and call, so that no statement takes long. True when there may be more.
 */
export async function sweepOldRows(system: Db): Promise<boolean> {
  const deleted = [
    await deleteBatch(system, sql`idempotency`, sql`created_at < now() - interval '24 hours'`),
    // One more window of margin: a counter that is about to be used must not disappear under a process whose clock differs.
    await deleteBatch(system, sql`rate_window`, sql`started_at < now() - make_interval(secs => window_ms / 1000.0) * 2`),
    await deleteBatch(system, sql`quota_window`, sql`ends_at < now() - interval '1 minute'`),
    await deleteBatch(system, sql`connect_flow`, sql`expires_at < now()`),
    await deleteBatch(system, sql`request_window`, sql`started_at < now() - interval '10 minutes'`),
    await deleteBatch(system, sql`heartbeat`, sql`at < now() - interval '1 day'`),
    // The id is a time, in microseconds.
    await deleteBatch(system, sql`event_log`, sql`id < (extract(epoch from now() - interval '30 days') * 1000000)::bigint`),
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
