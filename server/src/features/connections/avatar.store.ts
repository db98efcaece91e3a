import type { Tx } from '../../infra/db/db.ts'

export type Avatar = { avatarUrl: string | null; key: string | null; source: string | null; at: Date | null }

type Key = { workspaceId: string; id: string }

/** Undefined if there is no such connection. */
export async function findAvatarRow(tx: Tx, { workspaceId, id }: Key): Promise<Avatar | undefined> {
  return tx
    .selectFrom('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('status', '<>', 'disconnected')
    .select(['avatar_url as avatarUrl', 'avatar_key as key', 'avatar_source as source', 'avatar_at as at'])
    .executeTakeFirst()
}

export async function updateAvatar(
  tx: Tx,
  { workspaceId, id }: Key,
  { key, source, at }: { key: string | null; source: string; at: Date },
): Promise<void> {
  await tx
    .updateTable('connection')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set({ avatar_key: key, avatar_source: source, avatar_at: at })
    .execute()
}
