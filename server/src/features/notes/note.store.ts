import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import { dayText } from '../../infra/db/sql-parts.ts'
import type { NoteTable } from '../../infra/db/tables.ts'

export type NoteRow = Omit<Selectable<NoteTable>, 'workspace_id'>
export type NoteKey = { workspaceId: string; id: string }

const columns = [
  'id',
  dayText('starts_on').as('starts_on'),
  dayText('ends_on').as('ends_on'),
  'text',
  'color',
  'person_id',
  'created_at',
  'updated_at',
] as const

export async function insertNote(tx: Tx, row: Insertable<NoteTable>): Promise<NoteRow> {
  return tx.insertInto('note').values(row).returning(columns).executeTakeFirstOrThrow()
}

/** `from` and `to` are days; a note is found if it has one of the days between them. */
export async function listNoteRows(
  tx: Tx,
  { workspaceId, from, to }: { workspaceId: string; from?: string | undefined; to?: string | undefined },
): Promise<NoteRow[]> {
  let query = tx.selectFrom('note').where('workspace_id', '=', workspaceId)
  if (from !== undefined) query = query.where('ends_on', '>=', from)
  if (to !== undefined) query = query.where('starts_on', '<=', to)
  return query.select(columns).orderBy('note.starts_on').orderBy('id').execute()
}

export async function countNotes(tx: Tx, workspaceId: string): Promise<number> {
  const { notes } = await tx
    .selectFrom('note')
    .where('workspace_id', '=', workspaceId)
    .select(sql<number>`count(*)::int`.as('notes'))
    .executeTakeFirstOrThrow()
  return notes
}

/** Locked until the transaction ends. */
export async function findNote(tx: Tx, { workspaceId, id }: NoteKey): Promise<NoteRow | undefined> {
  return tx
    .selectFrom('note')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateNote(tx: Tx, { workspaceId, id }: NoteKey, change: Updateable<NoteTable>): Promise<NoteRow> {
  return tx
    .updateTable('note')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(change)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export async function deleteNote(tx: Tx, { workspaceId, id }: NoteKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('note')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
