import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { AccountEntryTable } from '../../infra/db/tables.ts'

export type AccountEntryRow = Selectable<AccountEntryTable>

/** Not limited to a workspace: an account belongs to the installation. */
export async function insertAccountEntry(system: Db | Tx, row: AccountEntryRow): Promise<void> {
  await system.insertInto('account_entry').values(row).execute()
}

/** Newest first. */
export async function listAccountEntries(system: Db, personId: string, limit: number): Promise<AccountEntryRow[]> {
  return system
    .selectFrom('account_entry')
    .where('person_id', '=', personId)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Only for an erased person: the database function refuses while the person exists. */
export async function eraseAccountEntries(system: Tx, personId: string): Promise<void> {
  await sql`select erase_account_log(${personId})`.execute(system)
}
