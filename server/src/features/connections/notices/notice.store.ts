import { sql } from 'kysely'
import type { Db } from '../../../infra/db/db.ts'

export type NamedConnection = {
  workspaceId: string
  id: string
  tokenRenewedAt: Date
  avatarKey: string | null
}

type NamedUser = { platform: string; userId: string; before: Date }

/**
 * Across workspaces: the connections of the user whom a platform names, with tokens that were issued before this time. Disconnected ones are
 * among them: their tokens are kept for a while.
 */
export async function findByAppUser(system: Db, { platform, userId, before }: NamedUser): Promise<NamedConnection[]> {
  return system
    .selectFrom('connection')
    .where('platform', '=', platform)
    .where(sql<string>`coalesce(app_user_id, sign_in_id, account_id)`, '=', userId)
    .where('token_renewed_at', '<', before)
    .select(['workspace_id as workspaceId', 'id', 'token_renewed_at as tokenRenewedAt', 'avatar_key as avatarKey'])
    .orderBy('workspace_id')
    .orderBy('id')
    .execute()
}

export type DeletionRow = { platform: string; requestedAt: Date; completedAt: Date | null; accounts: number }

/** Stores that the request arrived. A repeated one starts again and keeps its code. */
export async function startDeletion(
  system: Db,
  { code, platform, at }: { code: string; platform: string; at: Date },
): Promise<void> {
  await system
    .insertInto('data_deletion')
    .values({ code, platform, requested_at: at, completed_at: null })
    .onConflict((conflict) => conflict.column('code').doUpdateSet({ completed_at: null }))
    .execute()
}

export async function completeDeletion(
  system: Db,
  { code, accounts, at }: { code: string; accounts: number; at: Date },
): Promise<void> {
  await system
    .updateTable('data_deletion')
    .where('code', '=', code)
    .set({ completed_at: at, accounts: sql<number>`accounts + ${accounts}` })
    .execute()
}

export async function findDeletion(system: Db, code: string): Promise<DeletionRow | undefined> {
  return system
    .selectFrom('data_deletion')
    .where('code', '=', code)
    .select(['platform', 'requested_at as requestedAt', 'completed_at as completedAt', 'accounts'])
    .executeTakeFirst()
}
