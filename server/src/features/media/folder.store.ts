import { type Insertable, type Selectable, type Updateable, sql } from 'kysely'
import pg from 'pg'
import type { Tx } from '../../infra/db/db.ts'
import type { MediaFolderTable } from '../../infra/db/tables.ts'

export type FolderRow = Omit<Selectable<MediaFolderTable>, 'workspace_id'>
type FolderKey = { workspaceId: string; id: string }

const columns = ['id', 'name', 'created_at', 'updated_at'] as const

export async function insertFolder(tx: Tx, row: Insertable<MediaFolderTable>): Promise<FolderRow> {
  return tx.insertInto('media_folder').values(row).returning(columns).executeTakeFirstOrThrow()
}

export async function listFolderRows(tx: Tx, workspaceId: string): Promise<FolderRow[]> {
  return tx
    .selectFrom('media_folder')
    .where('workspace_id', '=', workspaceId)
    .select(columns)
    .orderBy(sql`fold_case(name)`)
    .orderBy('id')
    .execute()
}

/** How many files are in each folder; a folder without files is missing. */
export async function countFolderFiles(tx: Tx, workspaceId: string, id: string | null = null): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; files: number }>`
    select folder_id as id, count(*)::int as files
    from media
    where workspace_id = ${workspaceId} and folder_id is not null and (${id}::text is null or folder_id = ${id})
    group by folder_id`.execute(tx)
  return new Map(rows.map((row) => [row.id, row.files]))
}

/** Locked until the transaction ends. */
export async function findFolder(tx: Tx, { workspaceId, id }: FolderKey): Promise<FolderRow | undefined> {
  return tx
    .selectFrom('media_folder')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .forUpdate()
    .executeTakeFirst()
}

/** Whether the folder exists. It cannot be deleted until the transaction ends, so files can be put into it. */
export async function keepFolder(tx: Tx, { workspaceId, id }: FolderKey): Promise<boolean> {
  const found = await tx
    .selectFrom('media_folder')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select('id')
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

export async function updateFolder(
  tx: Tx,
  { workspaceId, id }: FolderKey,
  change: Updateable<MediaFolderTable>,
): Promise<FolderRow> {
  return tx
    .updateTable('media_folder')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(change)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** A foreign key takes its files out of it. */
export async function deleteFolder(tx: Tx, { workspaceId, id }: FolderKey): Promise<void> {
  await tx.deleteFrom('media_folder').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Whether a statement failed because another folder of the workspace has the name. */
export function isFolderNameTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === 'media_folder_name'
}
