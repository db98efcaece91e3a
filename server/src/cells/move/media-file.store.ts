import type pg from 'pg'

export type MediaFile = { key: string; mimeType: string }

const tables = ['media', 'rendition', 'connection']
const columns = `
  select storage_key as key, mime_type as "mimeType" from media
  union all
  select thumbnail_key, case type when 'image' then 'image/webp' else 'image/jpeg' end from media where thumbnail_key is not null
  union all
  select avatar_key, 'image/webp' from connection where avatar_key is not null
  union all
  select storage_key, mime_type from rendition where storage_key is not null`

/** The files of a workspace that is in its tables. */
export async function listFiles(client: pg.Client, workspaceId: string): Promise<MediaFile[]> {
  const { rows } = await client.query<MediaFile>(
    `with ${tables.map((table) => `${table} as (select * from public.${table} where workspace_id = $1)`).join(', ')} ${columns}`,
    [workspaceId],
  )
  return rows
}

/** The files of a workspace that is in parcels. */
export async function listParkedFiles(client: pg.Client, workspaceId: string): Promise<MediaFile[]> {
  const parked = (table: string) => `
    ${table} as (
      select r.* from workspace_parcel p cross join lateral unnest(p.rows::public.${table}[]) as r
      where p.id = $1 and p.table_name = '${table}')`
  const { rows } = await client.query<MediaFile>(`with ${tables.map(parked).join(', ')} ${columns}`, [workspaceId])
  return rows
}
