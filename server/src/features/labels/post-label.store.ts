import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'

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
