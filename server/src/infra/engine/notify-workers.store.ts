import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

export const dueChannel = 'carillon_due'

/** Outside any transaction: a notification inside one takes a lock that every commit would queue on. */
export async function notifyWorkers(system: Db): Promise<void> {
  await sql`select pg_notify(${dueChannel}, '')`.execute(system)
}
