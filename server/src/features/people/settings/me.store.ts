import { sql, type Selectable, type Updateable } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import type { PersonTable } from '../../../infra/db/tables.ts'

const columns = ['id', 'email', 'name', 'locale', 'timezone', 'week_start', 'hour_cycle', 'theme'] as const

export type PersonSettings = Pick<Selectable<PersonTable>, (typeof columns)[number]>

/** A person belongs to no workspace. */
export async function loadPersonSettings(system: Tx, id: string): Promise<PersonSettings> {
  return system.selectFrom('person').where('id', '=', id).select(columns).executeTakeFirstOrThrow()
}

export async function updatePersonSettings(
  system: Tx,
  id: string,
  change: Omit<Updateable<PersonTable>, 'updated_at'>,
): Promise<PersonSettings> {
  return system
    .updateTable('person')
    .where('id', '=', id)
    .set({ ...change, updated_at: sql`now()` })
    .returning(columns)
    .executeTakeFirstOrThrow()
}
