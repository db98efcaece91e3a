import { sql } from 'kysely'
import type { Db } from '../../../infra/db/db.ts'

export type Attempts = { attempts: number; endsAt: Date }

/** Increments the count and returns it in one statement, so that concurrent attempts are all counted. */
export async function countAttempt(
  system: Db,
  { key, now, endsAt }: { key: Buffer; now: Date; endsAt: Date },
): Promise<Attempts> {
  const { rows } = await sql<Attempts>`
    insert into attempt_window as w (key, attempts, ends_at) values (${key}, 1, ${endsAt})
    on conflict (key) do update set
      attempts = case when w.ends_at <= ${now} then 1 else w.attempts + 1 end,
      ends_at = case when w.ends_at <= ${now} then excluded.ends_at else w.ends_at end
    returning attempts, ends_at as "endsAt"`.execute(system)
  return rows[0] ?? { attempts: 1, endsAt }
}

export async function deleteAttempts(system: Db, key: Buffer): Promise<void> {
  await system.deleteFrom('attempt_window').where('key', '=', key).execute()
}
