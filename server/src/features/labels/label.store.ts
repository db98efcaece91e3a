import { type Insertable, type Selectable, type Updateable, sql } from 'kysely'
import pg from 'pg'
import { dayText } from '../../infra/db/sql-parts.ts'
import type { Tx } from '../../infra/db/db.ts'
import type { LabelTable } from '../../infra/db/tables.ts'

export type LabelRow = Omit<Selectable<LabelTable>, 'workspace_id'>
export type LabelKey = { workspaceId: string; id: string }

const columns = [
  'id',
  'name',
  'color',
  'kind',
  dayText<string | null>('starts_on').as('starts_on'),
  dayText<string | null>('ends_on').as('ends_on'),
  'created_at',
  'updated_at',
] as const

export async function insertLabel(tx: Tx, row: Insertable<LabelTable>): Promise<LabelRow> {
  return tx.insertInto('label').values(row).returning(columns).executeTakeFirstOrThrow()
}

export async function listLabelRows(tx: Tx, workspaceId: string): Promise<LabelRow[]> {
  return tx
    .selectFrom('label')
    .where('workspace_id', '=', workspaceId)
    .select(columns)
    .orderBy(sql`fold_case(name)`)
    .orderBy('id')
    .execute()
}

/** Locked until the transaction ends. */
export async function findLabel(tx: Tx, { workspaceId, id }: LabelKey): Promise<LabelRow | undefined> {
  return tx
    .selectFrom('label')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .select(columns)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateLabel(tx: Tx, { workspaceId, id }: LabelKey, change: Updateable<LabelTable>): Promise<LabelRow> {
  return tx
    .updateTable('label')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(change)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Whether a statement failed because another label of the workspace has the name. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === 'label_name'
}

/** Which of these labels exist. They cannot be removed until the transaction ends, so a post can be given them. */
export async function keepLabels(tx: Tx, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('label')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids})`)
    .select('id')
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes the label from its posts and deletes it. Returns how many posts had it. */
export async function deleteLabel(tx: Tx, { workspaceId, id }: LabelKey): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('post_label')
    .where('workspace_id', '=', workspaceId)
    .where('label_id', '=', id)
    .executeTakeFirst()
  await tx.deleteFrom('label').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
  return Number(numDeletedRows)
}

export type LabelledPost = { workspaceId: string; postId: string }

export async function listLabelsOf(tx: Tx, { workspaceId, postId }: LabelledPost): Promise<string[]> {
  const rows = await tx
    .selectFrom('post_label')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', postId)
    .select('label_id')
    .execute()
  return rows.map((row) => row.label_id)
}

export async function insertPostLabels(
  tx: Tx,
  { workspaceId, postId }: LabelledPost,
  labelIds: readonly string[],
): Promise<void> {
  if (labelIds.length === 0) return
  await tx
    .insertInto('post_label')
    .values(labelIds.map((labelId) => ({ workspace_id: workspaceId, post_id: postId, label_id: labelId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function deleteOtherLabels(tx: Tx, { workspaceId, postId }: LabelledPost, kept: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('post_label')
    .where('workspace_id', '=', workspaceId)
    .where('post_id', '=', postId)
    .where('label_id', '<>', sql<string>`all(${kept}::text[])`)
    .execute()
}
