import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../infra/db/db.ts'
import type { InstanceAppTable } from '../../../infra/db/tables.ts'

export type InstanceAppRow = Selectable<InstanceAppTable>
export type InstanceAppKey = { platform: string; instanceUrl: string; redirectUrl: string }

/** Belongs to the install, not to a workspace: all users of an instance sign in through the same registration. */
export async function findInstanceApp(system: Db, key: InstanceAppKey): Promise<InstanceAppRow | undefined> {
  return system
    .selectFrom('instance_app')
    .where('platform', '=', key.platform)
    .where('instance_url', '=', key.instanceUrl)
    .where('redirect_url', '=', key.redirectUrl)
    .selectAll()
    .executeTakeFirst()
}

export async function saveInstanceApp(system: Db, row: Insertable<InstanceAppTable>): Promise<void> {
  const { client_id, client_secret_sealed, created_at } = row
  await system
    .insertInto('instance_app')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['platform', 'instance_url', 'redirect_url'])
        .doUpdateSet({ client_id, client_secret_sealed, created_at, proven_at: null }),
    )
    .execute()
}

export async function markProven(system: Db, key: InstanceAppKey, clientId: string, at: Date): Promise<void> {
  await system
    .updateTable('instance_app')
    .where('platform', '=', key.platform)
    .where('instance_url', '=', key.instanceUrl)
    .where('redirect_url', '=', key.redirectUrl)
    .where('client_id', '=', clientId)
    .set({ proven_at: at })
    .execute()
}

export async function deleteInstanceApp(system: Db, key: InstanceAppKey): Promise<void> {
  await system
    .deleteFrom('instance_app')
    .where('platform', '=', key.platform)
    .where('instance_url', '=', key.instanceUrl)
    .where('redirect_url', '=', key.redirectUrl)
    .execute()
}
