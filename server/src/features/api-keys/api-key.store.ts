import type { Plan, Role } from '@carillon/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { ApiKeyTable } from '../../infra/db/tables.ts'

export type KeyRow = {
  apiKeyId: string
  personId: string
  keyWorkspaceId: string
  workspaceOnly: boolean
  scopes: string[] | null
  expiresAt: Date | null
  membership: { role: Role; plan: Plan } | null
}

/** Not limited to a workspace: the caller's workspaces are known only after the key was found. */
export async function findKeyRow(system: Db, hash: Buffer, workspaceId: string | null): Promise<KeyRow | undefined> {
  const row = await system
    .selectFrom('api_key')
    .leftJoin('member', (join) =>
      join.onRef('member.person_id', '=', 'api_key.person_id').on('member.workspace_id', '=', workspaceId ?? ''),
    )
    .leftJoin('workspace', 'workspace.id', 'member.workspace_id')
    .where('api_key.hash', '=', hash)
    .select([
      'api_key.id',
      'api_key.person_id',
      'api_key.workspace_id',
      'workspace_only',
      'scopes',
      'expires_at',
      'member.role',
      'workspace.plan',
    ])
    .executeTakeFirst()
  if (!row) return undefined
  return {
    apiKeyId: row.id,
    personId: row.person_id,
    keyWorkspaceId: row.workspace_id,
    workspaceOnly: row.workspace_only,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    membership: row.role && row.plan ? { role: row.role, plan: row.plan } : null,
  }
}

export async function insertApiKey(tx: Tx, row: Insertable<ApiKeyTable>): Promise<void> {
  await tx.insertInto('api_key').values(row).execute()
}

export async function listApiKeys(tx: Tx, workspaceId: string): Promise<Omit<Selectable<ApiKeyTable>, 'hash'>[]> {
  return tx
    .selectFrom('api_key')
    .where('workspace_id', '=', workspaceId)
    .select(['workspace_id', 'id', 'person_id', 'label', 'prefix', 'scopes', 'workspace_only', 'expires_at', 'created_at'])
    .orderBy('id')
    .execute()
}

export async function deleteApiKey(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('api_key')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function deleteApiKeysOf(tx: Tx, workspaceId: string, personId: string): Promise<void> {
  await tx.deleteFrom('api_key').where('workspace_id', '=', workspaceId).where('person_id', '=', personId).execute()
}
