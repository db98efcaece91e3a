import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { ConnectLinkTable } from '../../../infra/db/tables.ts'

export type ConnectLinkRow = Selectable<ConnectLinkTable>

type LinkKey = { workspaceId: string; id: string }

export async function insertConnectLink(tx: Tx, row: Insertable<ConnectLinkTable>): Promise<void> {
  await tx.insertInto('connect_link').values(row).execute()
}

/** The newest first, with the name of the maker. */
export async function listConnectLinks(
  tx: Tx,
  workspaceId: string,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<(ConnectLinkRow & { maker: string | null })[]> {
  return tx
    .selectFrom('connect_link')
    .leftJoin('person', 'person.id', 'connect_link.person_id')
    .where('workspace_id', '=', workspaceId)
    .$if(cursor !== undefined, (query) => query.where('connect_link.id', '<', cursor ?? ''))
    .selectAll('connect_link')
    .select('person.name as maker')
    .orderBy('connect_link.id', 'desc')
    .limit(limit)
    .execute()
}

/** Links that can still be used, for the quota. */
export async function countOpenLinks(tx: Tx, workspaceId: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('connect_link')
    .where('workspace_id', '=', workspaceId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Across workspaces: whoever opens a link says nothing but its secret. */
export async function findLinkByToken(system: Db, tokenHash: Buffer): Promise<ConnectLinkRow | undefined> {
  return system.selectFrom('connect_link').where('token_hash', '=', tokenHash).selectAll().executeTakeFirst()
}

export async function findConnectLink(db: Db | Tx, { workspaceId, id }: LinkKey): Promise<ConnectLinkRow | undefined> {
  return db.selectFrom('connect_link').where('workspace_id', '=', workspaceId).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Until the transaction ends, nobody else uses or revokes the link. */
export async function lockConnectLink(tx: Tx, { workspaceId, id }: LinkKey): Promise<ConnectLinkRow | undefined> {
  return tx
    .selectFrom('connect_link')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

export async function markLinkUsed(tx: Tx, { workspaceId, id }: LinkKey, connectionId: string, at: Date): Promise<void> {
  await tx
    .updateTable('connect_link')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set({ used_at: at, connection_id: connectionId })
    .execute()
}

/** False if there is no such link. One that was used or revoked before stays as it is. */
export async function revokeConnectLink(tx: Tx, { workspaceId, id }: LinkKey, at: Date): Promise<boolean> {
  const link = await lockConnectLink(tx, { workspaceId, id })
  if (!link) return false
  await tx
    .updateTable('connect_link')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .set({ revoked_at: at })
    .execute()
  return true
}

/** Across workspaces: deletes links that expired before this time. */
export async function deleteOldLinks(system: Db, before: Date): Promise<void> {
  await system.deleteFrom('connect_link').where('expires_at', '<', before).execute()
}
