import type pg from 'pg'
import { StartError } from '../../infra/problem/start-error.ts'

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
