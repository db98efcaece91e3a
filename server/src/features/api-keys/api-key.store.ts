import type { Plan, Role } from '@carillon/contract'
import type { Insertable, Selectable } from 'kysely'
import { isClosing } from '../../infra/cell/leaving-workspace.store.ts'
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
    .leftJoin('workspace', (join) =>
      join.onRef('workspace.id', '=', 'member.workspace_id').on(({ not }) => not(isClosing('member.workspace_id'))),
    )
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

export type ListedKey = Omit<Selectable<ApiKeyTable>, 'hash'> & { name: string | null; email: string | null }

export async function listApiKeys(tx: Tx, workspaceId: string): Promise<ListedKey[]> {
  return tx
    .selectFrom('api_key')
    .leftJoin('person', 'person.id', 'api_key.person_id')
    .where('workspace_id', '=', workspaceId)
    .select(['workspace_id', 'api_key.id', 'person_id', 'label', 'prefix', 'scopes', 'workspace_only', 'expires_at'])
    .select(['api_key.created_at', 'last_used_at', 'person.name', 'person.email'])
    .orderBy('api_key.id')
    .execute()
}

/** Across workspaces: the key is known before its workspace. Does nothing if the stored time is recent. */
export async function touchApiKey(system: Db, { hash, at, notSince }: { hash: Buffer; at: Date; notSince: Date }): Promise<void> {
  await system
    .updateTable('api_key')
    .where('hash', '=', hash)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<', notSince)]))
    .set({ last_used_at: at })
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
