import type { Insertable, Selectable } from 'kysely'
import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { OauthClientTable, OauthDeviceTable } from '../../infra/db/tables.ts'

// Programs belong to the installation and not to a workspace, so everything here uses the system role.

export type ClientRow = Selectable<OauthClientTable>
export type NewClient = Insertable<OauthClientTable> & { created_at: Date }

export async function findClientRow(system: Db | Tx, id: string): Promise<ClientRow | undefined> {
  return system.selectFrom('oauth_client').where('id', '=', id).selectAll().executeTakeFirst()
}

export async function findByFingerprint(system: Db | Tx, fingerprint: Buffer): Promise<ClientRow | undefined> {
  return system.selectFrom('oauth_client').where('fingerprint', '=', fingerprint).selectAll().executeTakeFirst()
}

/** One program is added at a time, so that the count below holds. The number is only a name for the lock. */
export async function lockClients(system: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(7230080)`.execute(system)
}

export async function countClients(system: Tx): Promise<number> {
  const { clients } = await system
    .selectFrom('oauth_client')
    .select(({ fn }) => fn.countAll<string>().as('clients'))
    .executeTakeFirstOrThrow()
  return Number(clients)
}

type Unused = { before: Date; max: number; isNever?: boolean }

/** Deletes programs that nobody has given access since then, the oldest first; with `isNever` only those that never had any. */
export async function deleteUnusedClients(system: Db | Tx, { before, max, isNever = false }: Unused): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from oauth_client
    where id in (
      select c.id
      from oauth_client c
      where c.source <> 'built_in'
        and c.created_at < ${before}
        and (c.used_at is null or (not ${isNever} and c.used_at < ${before}))
        and not exists (
          select from oauth_grant g
          join oauth_token t on t.workspace_id = g.workspace_id and t.grant_id = g.id
          where g.client_id = c.id)
      order by c.created_at
      limit ${max})`.execute(system)
  return Number(numAffectedRows ?? 0)
}

/** A document that was read again replaces what was known of its program. */
export async function putClient(system: Db | Tx, row: Insertable<OauthClientTable>): Promise<void> {
  const { name, redirect_uris, fetched_at } = row
  await system
    .insertInto('oauth_client')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, redirect_uris, fetched_at }))
    .execute()
}

/** A program that is used is kept. */
export async function touchClient(system: Db, id: string, at: Date): Promise<void> {
  await system.updateTable('oauth_client').where('id', '=', id).set({ used_at: at }).execute()
}

export type DeviceRow = Selectable<OauthDeviceTable>

export async function countDevices(system: Tx): Promise<number> {
  const { devices } = await system
    .selectFrom('oauth_device')
    .select(({ fn }) => fn.countAll<string>().as('devices'))
    .executeTakeFirstOrThrow()
  return Number(devices)
}

export async function insertDevice(system: Tx, row: Insertable<OauthDeviceTable>): Promise<void> {
  await system.insertInto('oauth_device').values(row).execute()
}

export async function findDeviceByUserCode(
  system: Db,
  userCodeHash: Buffer,
  now: Date,
): Promise<(DeviceRow & { client_name: string }) | undefined> {
  return system
    .selectFrom('oauth_device')
    .innerJoin('oauth_client', 'oauth_client.id', 'oauth_device.client_id')
    .where('user_code_hash', '=', userCodeHash)
    .where('oauth_device.expires_at', '>', now)
    .where('denied_at', 'is', null)
    .selectAll('oauth_device')
    .select('oauth_client.name as client_name')
    .executeTakeFirst()
}

export async function findDevice(system: Tx, hash: Buffer): Promise<DeviceRow | undefined> {
  return system.selectFrom('oauth_device').where('hash', '=', hash).selectAll().forUpdate().executeTakeFirst()
}

export async function notePoll(system: Tx, hash: Buffer, at: Date): Promise<void> {
  await system.updateTable('oauth_device').where('hash', '=', hash).set({ polled_at: at }).execute()
}

/** False: somebody answered before. */
export async function takeDevice(system: Tx, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await system
    .deleteFrom('oauth_device')
    .where('hash', '=', hash)
    .where('denied_at', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function denyDevice(system: Db, hash: Buffer, at: Date): Promise<void> {
  await system.updateTable('oauth_device').where('hash', '=', hash).set({ denied_at: at }).execute()
}

export async function deleteExpiredDevices(system: Db | Tx, now: Date): Promise<void> {
  await system.deleteFrom('oauth_device').where('expires_at', '<', now).execute()
}
