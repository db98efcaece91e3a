import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { PlatformAppTable } from '../../../infra/db/tables.ts'

export type PlatformAppRow = Selectable<PlatformAppTable>

/** The apps of one platform, or of all: the current one first, and then those that were replaced, the newest first. */
export async function listPlatformApps(system: Db | Tx, platform: string | null): Promise<PlatformAppRow[]> {
  return system
    .selectFrom('platform_app')
    .$if(platform !== null, (query) => query.where('platform', '=', platform ?? ''))
    .selectAll()
    .orderBy(sql`replaced_at desc nulls first`)
    .execute()
}

type NewPlatformApp = Pick<PlatformAppRow, 'platform' | 'client_id' | 'client_secret_sealed' | 'is_vetted' | 'entered_at'>

/** Makes it the app of the platform. The one before is replaced, unless it has the same id: then only its secret is new. */
export async function putPlatformApp(tx: Tx, app: NewPlatformApp): Promise<void> {
  // Two requests at the same time would both find no current app.
  await sql`select pg_advisory_xact_lock(hashtextextended('platform_app', 0))`.execute(tx)
  await tx
    .updateTable('platform_app')
    .where('platform', '=', app.platform)
    .where('client_id', '<>', app.client_id)
    .where('replaced_at', 'is', null)
    .set({ replaced_at: app.entered_at })
    .execute()
  const { client_secret_sealed, is_vetted, entered_at } = app
  await tx
    .insertInto('platform_app')
    .values({ ...app, replaced_at: null })
    .onConflict((conflict) =>
      conflict.columns(['platform', 'client_id']).doUpdateSet({ client_secret_sealed, is_vetted, entered_at, replaced_at: null }),
    )
    .execute()
}

/** Replaced apps that no account needs any more. */
export async function deleteUnusedApps(tx: Tx, platform: string): Promise<void> {
  await sql`
    delete from platform_app a
    where a.platform = ${platform}
      and a.replaced_at is not null
      and not exists (
        select from connection c
        where c.platform = a.platform and c.client_id = a.client_id and not c.own_app and c.status <> 'disconnected'
      )`.execute(tx)
}

export async function deletePlatformApps(tx: Tx, platform: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('platform_app').where('platform', '=', platform).executeTakeFirst()
  return Number(numDeletedRows)
}

export type AppUse = { platform: string; clientId: string | null; accounts: number }

/**
 * How many accounts were connected with which app. The id is null for those of an earlier release, which did not note it, and for accounts of
 * instances, where an app is registered by itself.
 */
export async function countAppUse(system: Db | Tx): Promise<AppUse[]> {
  const { rows } = await sql<AppUse>`
    select platform, case when instance_url is null then client_id end as "clientId", count(*)::int as accounts
    from connection
    where status <> 'disconnected' and not own_app
    group by 1, 2`.execute(system)
  return rows
}
