import { sql, type Insertable, type Selectable } from 'kysely'
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

/** A registration that was replaced, too. */
export async function findRegistration(
  system: Db,
  { platform, instanceUrl, clientId }: { platform: string; instanceUrl: string; clientId: string },
): Promise<InstanceAppRow | undefined> {
  return system
    .selectFrom('instance_app')
    .where('platform', '=', platform)
    .where('instance_url', '=', instanceUrl)
    .where('client_id', '=', clientId)
    .selectAll()
    .executeTakeFirst()
}

/** Of two that are registered at the same time, the first one is kept. */
export async function insertInstanceApp(system: Db, row: Insertable<InstanceAppTable>): Promise<void> {
  await system
    .insertInto('instance_app')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
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

/** Frees the key for the next registration. This one is found by its client id from now on. */
export async function retireInstanceApp(
  system: Db,
  key: InstanceAppKey,
  which: { clientId: string } | { unprovenBefore: Date },
): Promise<void> {
  await system
    .updateTable('instance_app')
    .where('platform', '=', key.platform)
    .where('instance_url', '=', key.instanceUrl)
    .where('redirect_url', '=', key.redirectUrl)
    .$if('clientId' in which, (query) => query.where('client_id', '=', 'clientId' in which ? which.clientId : ''))
    .$if('unprovenBefore' in which, (query) =>
      query
        .where('proven_at', 'is', null)
        .where('created_at', '<=', 'unprovenBefore' in which ? which.unprovenBefore : new Date(0)),
    )
    .set({ redirect_url: sql<string>`redirect_url || '#' || client_id` })
    .execute()
}
