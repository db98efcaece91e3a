import { importRowStatuses, importsKept, type ImportPlacement, type ImportRowStatus, type PostStatus } from '@carillon/contract'
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { ImportRowTable, PostImportTable } from '../../infra/db/tables.ts'

export type ImportKey = { workspaceId: string; id: string }
export type PostImport = Omit<Selectable<PostImportTable>, 'workspace_id' | 'fingerprint'>
export type ImportRowRecord = Omit<Selectable<ImportRowTable>, 'workspace_id' | 'import_id'>

const importColumns = ['id', 'name', 'format', 'accounts', 'person_id', 'created_at'] as const
const rowColumns = ['number', 'key', 'content', 'status', 'placement', 'post_id', 'code', 'message', 'details'] as const
/** Rows of one statement; PostgreSQL takes 65,535 values at once. */
const insertMax = 500

/** Undefined if the same file was imported before. */
export async function insertImport(tx: Tx, row: Insertable<PostImportTable>): Promise<PostImport | undefined> {
  return tx
    .insertInto('post_import')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'fingerprint']).doNothing())
    .returning(importColumns)
    .executeTakeFirst()
}

export async function insertRows(tx: Tx, rows: readonly Insertable<ImportRowTable>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += insertMax)
    await tx
      .insertInto('import_row')
      .values(rows.slice(at, at + insertMax))
      .execute()
}

export async function findImport(tx: Tx, { workspaceId, id }: ImportKey): Promise<PostImport | undefined> {
  return tx
    .selectFrom('post_import')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(importColumns)
    .executeTakeFirst()
}

export async function findSameFile(tx: Tx, workspaceId: string, fingerprint: Buffer): Promise<PostImport | undefined> {
  return tx
    .selectFrom('post_import')
    .where('workspace_id', '=', workspaceId)
    .where('fingerprint', '=', fingerprint)
    .select(importColumns)
    .executeTakeFirst()
}

export async function listImportRecords(tx: Tx, workspaceId: string): Promise<PostImport[]> {
  return tx
    .selectFrom('post_import')
    .where('workspace_id', '=', workspaceId)
    .select(importColumns)
    .orderBy('id', 'desc')
    .limit(importsKept)
    .execute()
}

export async function updateImport(tx: Tx, { workspaceId, id }: ImportKey, change: Updateable<PostImportTable>): Promise<void> {
  await tx.updateTable('post_import').where('workspace_id', '=', workspaceId).where('id', '=', id).set(change).execute()
}

/** Deletes imports that are no longer kept. What they made is remembered elsewhere. */
export async function trimImports(tx: Tx, workspaceId: string): Promise<void> {
  const kept = tx
    .selectFrom('post_import')
    .where('workspace_id', '=', workspaceId)
    .select('id')
    .orderBy('id', 'desc')
    .limit(importsKept)
  await tx.deleteFrom('post_import').where('workspace_id', '=', workspaceId).where('id', 'not in', kept).execute()
}

export async function deleteImport(tx: Tx, { workspaceId, id }: ImportKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('post_import')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function listRows(
  tx: Tx,
  { workspaceId, id }: ImportKey,
  { from, limit }: { from: number; limit: number },
): Promise<ImportRowRecord[]> {
  return tx
    .selectFrom('import_row')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .where('number', '>=', from)
    .select(rowColumns)
    .orderBy('number')
    .limit(limit)
    .execute()
}

export type RowResult = {
  status: ImportRowStatus
  placement?: ImportPlacement | null
  postId?: string | null
  code?: string | null
  message?: string | null
  details?: readonly { path?: string; code?: string; message?: string }[]
}

export async function updateRow(tx: Tx, { workspaceId, id }: ImportKey, number: number, result: RowResult): Promise<void> {
  await tx
    .updateTable('import_row')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', id)
    .where('number', '=', number)
    .set({
      status: result.status,
      placement: result.placement ?? null,
      post_id: result.postId ?? null,
      code: result.code ?? null,
      message: result.message ?? null,
      details: result.details ? JSON.stringify(result.details) : null,
    })
    .execute()
}

export type Counts = Record<ImportRowStatus, number>

export async function countRows(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await tx
    .selectFrom('import_row')
    .where('workspace_id', '=', workspaceId)
    .where('import_id', '=', sql<string>`any(${ids})`)
    .select(['import_id', 'status', sql<number>`count(*)::integer`.as('rows')])
    .groupBy(['import_id', 'status'])
    .execute()
  const none = () => Object.fromEntries(importRowStatuses.map((status) => [status, 0])) as Counts
  const counts = new Map(ids.map((id) => [id, none()]))
  for (const { import_id: id, status, rows: found } of rows) {
    const those = counts.get(id)
    if (those) those[status] = found
  }
  return counts
}

/** How the file names its accounts, and in how many rows that are not published yet. */
export async function countAccounts(tx: Tx, { workspaceId, id }: ImportKey): Promise<{ account: string; rows: number }[]> {
  const { rows } = await sql<{ account: string; rows: number }>`
    select a.account, count(*)::integer as rows
    from import_row r, lateral jsonb_array_elements_text(r.content -> 'accounts') as a (account)
    where r.workspace_id = ${workspaceId} and r.import_id = ${id} and r.content ->> 'state' <> 'published'
    group by a.account
    order by a.account`.execute(tx)
  return rows
}

/** The post that a row became. */
export async function findImportedPost(tx: Tx, workspaceId: string, key: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('imported_post')
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .select('post_id')
    .executeTakeFirst()
  return row?.post_id
}

export async function findPost(
  tx: Tx,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<{ id: string; status: PostStatus; scheduled_at: Date | null } | undefined> {
  return tx
    .selectFrom('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(['id', 'status', 'scheduled_at'])
    .executeTakeFirst()
}

export async function insertImportedPost(tx: Tx, row: { workspaceId: string; key: string; postId: string }): Promise<void> {
  await tx.insertInto('imported_post').values({ workspace_id: row.workspaceId, key: row.key, post_id: row.postId }).execute()
}
