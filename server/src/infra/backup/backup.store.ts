import pg from 'pg'
import { LimitedClient } from '../db/connection-limits.ts'

/** They say what happens now, and mean nothing in another place. The list of migrations is in the manifest. */
const leftOut = ['heartbeat', 'migration']
const fetchSize = 500

/** A view of the whole database at one moment, across all workspaces. */
export type Snapshot = {
  takenAt: Date
  tables: string[]
  migrations: string[]
  /** Every row of a table as PostgreSQL prints a composite value, which gives the same row back exactly. */
  rows(table: string): AsyncIterable<string[]>
  mediaFiles(): AsyncIterable<string[]>
}

/** Opens a snapshot with the system's login, which sees all workspaces and changes nothing here. */
export async function withSnapshot<T>(systemUrl: string, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const client = new LimitedClient({ connectionString: systemUrl, application_name: 'carillon backup', keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows: times } = await client.query<{ at: Date }>('select now() as at')
    const { rows: tables } = await client.query<{ name: string }>(tablesInOrder, [leftOut])
    const { rows: migrations } = await client.query<{ name: string }>('select name from migration order by name')
    return await work({
      takenAt: times[0]?.at ?? new Date(0),
      tables: tables.map(({ name }) => name),
      migrations: migrations.map(({ name }) => name),
      rows: (table) => readAll(client, `select t::text as value from ${pg.escapeIdentifier(table)} t`),
      mediaFiles: () => readAll(client, mediaFiles),
    })
  } finally {
    await client.end()
  }
}

/** Each table after those that it refers to, so that rows can be inserted in this order. */
const tablesInOrder = `
  with recursive reference as (
    select distinct conrelid as child, confrelid as parent
    from pg_constraint
    where contype = 'f' and conrelid <> confrelid
  ), depth as (
    select oid, 0 as level
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all($1)
    union
    select child, level + 1
    from depth join reference on parent = oid
  )
  select oid::regclass::text as name from depth group by oid order by max(level), name`

const mediaFiles = `
  select json_build_object('key', storage_key, 'sizeBytes', size_bytes)::text as value from media
  union all
  select json_build_object('key', thumbnail_key, 'sizeBytes', null)::text from media where thumbnail_key is not null
  union all
  select json_build_object('key', storage_key, 'sizeBytes', size_bytes)::text from rendition where storage_key is not null`

async function* readAll(client: pg.Client, query: string): AsyncIterable<string[]> {
  await client.query(`declare backup_rows no scroll cursor for ${query}`)
  try {
    for (;;) {
      const { rows } = await client.query<{ value: string }>(`fetch ${fetchSize} from backup_rows`)
      if (rows.length === 0) return
      yield rows.map(({ value }) => value)
    }
  } finally {
    await client.query('close backup_rows')
  }
}
