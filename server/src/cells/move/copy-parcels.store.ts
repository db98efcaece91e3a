import type pg from 'pg'
import { StartError } from '../../infra/problem/problem.ts'
import { type SecretKeys, resealFor } from '../../infra/sealing/seal.ts'

type Sides = { source: pg.Client; target: pg.Client; workspaceId: string }

const batchSize = 20

/** Copies what the target does not have yet, so it may be interrupted and repeated. Both sides then have the same parcels. */
export async function copyParcels({ source, target, workspaceId }: Sides): Promise<number> {
  let after = await lastPosition(target, workspaceId)
  for (;;) {
    const { rows } = await source.query<{ position: number; table_name: string; rows: string[]; hash: Buffer }>(
      `select position, table_name, rows, hash from workspace_parcel where id = $1 and position > $2 order by position limit $3`,
      [workspaceId, after, batchSize],
    )
    const last = rows.at(-1)
    if (!last) break
    for (const { position, table_name: table, rows: texts, hash } of rows)
      await target.query(
        `insert into workspace_parcel (id, position, table_name, rows, hash)
         select $1, $2, $3, $4::text[], sha256(convert_to(array_to_string($4::text[], E'\n'), 'UTF8'))
         where sha256(convert_to(array_to_string($4::text[], E'\n'), 'UTF8')) = $5`,
        [workspaceId, position, table, texts, hash],
      )
    after = last.position
  }
  return compareParcels({ source, target, workspaceId })
}

async function lastPosition(target: pg.Client, workspaceId: string): Promise<number> {
  const { rows } = await target.query<{ position: number }>(
    'select coalesce(max(position), -1) as position from workspace_parcel where id = $1',
    [workspaceId],
  )
  return rows[0]?.position ?? -1
}

async function compareParcels({ source, target, workspaceId }: Sides): Promise<number> {
  const summary = async (client: pg.Client) => {
    const { rows } = await client.query<{ parcels: number; hash: string | null }>(
      `select count(*)::int as parcels,
         encode(sha256(string_agg(convert_to(position || ' ' || table_name || ' ', 'UTF8')
           || sha256(convert_to(array_to_string(rows, E'\n'), 'UTF8')), '' order by position)), 'hex') as hash
       from workspace_parcel where id = $1`,
      [workspaceId],
    )
    return rows[0]
  }
  const [before, after] = [await summary(source), await summary(target)]
  if (before?.parcels !== after?.parcels || before?.hash !== after?.hash)
    throw new StartError(
      `The rows of the workspace did not arrive unchanged: ${after?.parcels} of ${before?.parcels} parcels. Run this again; nothing is lost.`,
    )
  return after?.parcels ?? 0
}

type AppRow = {
  platform: string
  instance_url: string
  redirect_url: string
  client_id: string
  client_secret_sealed: Buffer
  proven_at: Date | null
  created_at: Date
}

type Copy = { source: pg.Client; target: pg.Client; workspaceId: string; keys: { from: SecretKeys; to: SecretKeys } }

/** The registrations at the instances of its accounts: a token can be renewed only with the app that it was issued to. */
export async function copyInstanceApps({ source, target, workspaceId, keys }: Copy): Promise<void> {
  const { rows } = await source.query<AppRow>(
    `select a.* from instance_app a
     where exists (
       select from connection c where c.workspace_id = $1 and c.platform = a.platform and c.instance_url = a.instance_url)`,
    [workspaceId],
  )
  for (const app of rows) {
    const place = { workspaceId: '', rowId: `${app.platform} ${app.instance_url}`, column: 'client_secret' }
    await target.query(
      `insert into instance_app (platform, instance_url, redirect_url, client_id, client_secret_sealed, proven_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict do nothing`,
      [
        app.platform,
        app.instance_url,
        app.redirect_url,
        app.client_id,
        resealFor(keys, place, app.client_secret_sealed),
        app.proven_at,
        app.created_at,
      ],
    )
  }
}

type PlatformAppRow = { platform: string; client_id: string; client_secret_sealed: Buffer; is_vetted: boolean; entered_at: Date }

/**
 * The developer apps that its accounts were connected with, if an operator entered them in the web app. In the target they count as
 * replaced: new accounts are connected with the app of that cell.
 */
export async function copyPlatformApps({ source, target, workspaceId, keys }: Copy): Promise<void> {
  const { rows } = await source.query<PlatformAppRow>(
    `select a.* from platform_app a
     where exists (
       select from connection c where c.workspace_id = $1 and c.platform = a.platform and c.client_id = a.client_id and not c.own_app)`,
    [workspaceId],
  )
  for (const app of rows) {
    const place = { workspaceId: '', rowId: `${app.platform} ${app.client_id}`, column: 'client_secret' }
    await target.query(
      `insert into platform_app (platform, client_id, client_secret_sealed, is_vetted, entered_at, replaced_at)
       values ($1, $2, $3, $4, $5, now())
       on conflict do nothing`,
      [app.platform, app.client_id, resealFor(keys, place, app.client_secret_sealed), app.is_vetted, app.entered_at],
    )
  }
}
