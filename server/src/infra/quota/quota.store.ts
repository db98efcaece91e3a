import { sql } from 'kysely'
import type { Db, Tx } from '../db/db.ts'

export type QuotaUse = { used: number; endsAt: Date }

/** Increments the count and returns it in one statement, so that concurrent requests are all counted. */
export async function countUse(system: Db, { key, now, endsAt }: { key: Buffer; now: Date; endsAt: Date }): Promise<QuotaUse> {
  const { rows } = await sql<QuotaUse>`
    insert into quota_window as w (key, used, ends_at)
    values (${key}, 1, ${endsAt})
    on conflict (key) do update set
      used = case when w.ends_at <= ${now} then 1 else w.used + 1 end,
      ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
    returning used, ends_at as "endsAt"`.execute(system)
  return rows[0] ?? { used: 1, endsAt }
}

export async function undoUse(system: Db, key: Buffer): Promise<void> {
  await sql`update quota_window set used = used - 1 where key = ${key} and used > 0`.execute(system)
}

/** Until the transaction ends, no other one counts the same things: two requests cannot both take the last place. */
export async function lockQuota(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${name}`}, 3))`.execute(tx)
}
