import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../db/db.ts'
import type { OutgoingMailTable } from '../db/tables.ts'

export type OutgoingMailRow = Selectable<OutgoingMailTable>

export async function insertMail(db: Db | Tx, row: Insertable<OutgoingMailTable>): Promise<void> {
  await db.insertInto('outgoing_mail').values(row).execute()
}

/** One queue for all workspaces. Claims the mails that are due; no other process claims them before `until`. */
export async function claimMails(system: Db, { now, until, limit }: { now: Date; until: Date; limit: number }) {
  return system
    .with('due', (query) =>
      query
        .selectFrom('outgoing_mail')
        .where('due_at', '<=', now)
        .select('id')
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('outgoing_mail')
    .from('due')
    .whereRef('outgoing_mail.id', '=', 'due.id')
    .set(({ eb }) => ({ due_at: until, attempts: eb('attempts', '+', 1) }))
    .returningAll('outgoing_mail')
    .execute()
}

export async function postponeMail(system: Db, id: string, dueAt: Date): Promise<void> {
  await system.updateTable('outgoing_mail').where('id', '=', id).set({ due_at: dueAt }).execute()
}

export async function deleteMail(system: Tx, id: string): Promise<void> {
  await system.deleteFrom('outgoing_mail').where('id', '=', id).execute()
}
