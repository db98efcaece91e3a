import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Outside any transaction: a notification inside one takes a lock that every commit would queue on. */
export async function notify(system: Db, channel: string, payload = ''): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(system)
}
