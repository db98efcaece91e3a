import { sql } from 'kysely'
import type { Db, Tx } from '../db/db.ts'

export type Person = { id: string; email: string; name: string }

/** A person is known across workspaces; addresses are the same whatever their case. */
export async function findPersonByEmail(system: Db | Tx, email: string): Promise<Person | undefined> {
  return system
    .selectFrom('person')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .select(['id', 'email', 'name'])
    .executeTakeFirst()
}

export async function insertPerson(system: Db | Tx, row: Person & { created_at: Date }): Promise<void> {
  await system
    .insertInto('person')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
