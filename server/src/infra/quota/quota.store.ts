import { sql } from 'kysely'
import type { Db, Tx } from '../db/db.ts'

export type QuotaUse = { used: number; endsAt: Date }

const usedMax = 2_147_483_647

type Use = { key: Buffer; amount: number; now: Date; endsAt: Date }

/** Adds to the count and returns it in one statement, so that concurrent requests are all counted. */
export async function countUse(system: Db, { key, amount, now, endsAt }: Use): Promise<QuotaUse> {
  const { rows } = await sql<QuotaUse>`
    insert into quota_window as w (key, used, ends_at)
    values (${key}, ${amount}, ${endsAt})
    on conflict (key) do update set
      used = case when w.ends_at <= ${now} then excluded.used else least(w.used::bigint + excluded.used, ${usedMax}) end,
      ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
    returning used, ends_at as "endsAt"`.execute(system)
  return rows[0] ?? { used: amount, endsAt }
}

/** Corrects the count of what was reserved, up or down. */
export async function correctUse(system: Db, key: Buffer, by: number): Promise<void> {
  await sql`
    update quota_window
    set used = greatest(least(used::bigint + ${by}::bigint, ${usedMax}), 0)
    where key = ${key}`.execute(system)
}

/** Until the transaction ends, no other one counts the same things: two requests cannot both take the last place. */
export async function lockQuota(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${name}`}, 3))`.execute(tx)
}
