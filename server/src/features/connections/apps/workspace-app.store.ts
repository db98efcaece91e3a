import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { WorkspaceAppTable } from '../../../infra/db/tables.ts'

export type WorkspaceAppRow = Selectable<WorkspaceAppTable>

/** The app of a workspace for new accounts, or the one with this id. */
export async function findWorkspaceApp(
  db: Db | Tx,
  { workspaceId, platform, clientId }: { workspaceId: string; platform: string; clientId: string | null },
): Promise<WorkspaceAppRow | undefined> {
  const apps = db.selectFrom('workspace_app').where('workspace_id', '=', workspaceId).where('platform', '=', platform).selectAll()
  return (clientId === null ? apps.where('replaced_at', 'is', null) : apps.where('client_id', '=', clientId)).executeTakeFirst()
}

export async function listWorkspaceApps(tx: Tx, workspaceId: string): Promise<WorkspaceAppRow[]> {
  return tx
    .selectFrom('workspace_app')
    .where('workspace_id', '=', workspaceId)
    .where('replaced_at', 'is', null)
    .selectAll()
    .execute()
}

/** How many accounts of each platform were connected with an app of the workspace. */
export async function countOwnAppUse(tx: Tx, workspaceId: string): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('connection')
    .where('workspace_id', '=', workspaceId)
    .where('own_app', '=', true)
    .where('status', '<>', 'disconnected')
    .select(['platform', sql<number>`count(*)::int`.as('accounts')])
    .groupBy('platform')
    .execute()
  return new Map(rows.map(({ platform, accounts }) => [platform, accounts]))
}

/** Makes it the app of the workspace. The one before is replaced, unless it has the same id: then only its secret is new. */
export async function putWorkspaceApp(tx: Tx, app: Omit<WorkspaceAppRow, 'replaced_at'>): Promise<void> {
  const { workspace_id: workspaceId, platform, client_id: clientId, client_secret_sealed, entered_at } = app
  // Two requests at the same time would both find no current app.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`workspace_app ${workspaceId}`}, 0))`.execute(tx)
  await tx
    .updateTable('workspace_app')
    .where('workspace_id', '=', workspaceId)
    .where('platform', '=', platform)
    .where('client_id', '<>', clientId)
    .where('replaced_at', 'is', null)
    .set({ replaced_at: entered_at })
    .execute()
  await tx
    .insertInto('workspace_app')
    .values({ ...app, replaced_at: null })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'platform', 'client_id'])
        .doUpdateSet({ client_secret_sealed, entered_at, replaced_at: null }),
    )
    .execute()
  await deleteUnused(tx, workspaceId, platform)
}

/** Replaced apps that no account needs any more. */
async function deleteUnused(tx: Tx, workspaceId: string, platform: string): Promise<void> {
  await sql`
    delete from workspace_app a
    where a.workspace_id = ${workspaceId}
      and a.platform = ${platform}
      and a.replaced_at is not null
      and not exists (
        select from connection c
        where c.workspace_id = a.workspace_id
          and c.platform = a.platform
          and c.client_id = a.client_id
          and c.own_app
          and c.status <> 'disconnected'
      )`.execute(tx)
}

/** Removes the app and those that it replaced: whoever removes a secret wants it gone. */
export async function deleteWorkspaceApps(tx: Tx, workspaceId: string, platform: string): Promise<void> {
  await tx.deleteFrom('workspace_app').where('workspace_id', '=', workspaceId).where('platform', '=', platform).execute()
}
