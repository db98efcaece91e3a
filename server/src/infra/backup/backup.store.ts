import pg from 'pg'
import { LimitedClient } from '../db/connection-limits.ts'
import { StartError } from '../problem/problem.ts'

/** They say what happens now, and mean nothing in another place. The list of migrations is in the manifest. */
const leftOut = ['chore', 'heartbeat', 'migration']
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

type Loader = {
  insert(table: string, rows: readonly string[]): Promise<void>
}

export async function hasWorkspaces(ownerUrl: string): Promise<boolean> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('public.migration') is not null as exists`)
    if (!rows[0]?.exists) return false
    // As the owner, because the logins may not exist yet. Row-level security would hide the rows from it; statistics of the table do not.
    const { rows: found } = await client.query<{ used: boolean }>(`select pg_relation_size('workspace') > 0 as used`)
    return found[0]?.used ?? false
  })
}

type LoadOptions = { tables: readonly string[]; fenceReason: string }

/** Numbers that were given out after the backup are not given out again: open pages may still hold one as their position. */
const numbersToSkip = 1_000_000

/**
 * Fills the tables in one transaction: either the whole backup is there afterwards, or nothing. Triggers and the row-level security of the
 * owner are off inside it, because the rows are already what triggers made of them. Sending is stopped in the same transaction.
 */
export async function loadTables(
  ownerUrl: string,
  { tables, fenceReason }: LoadOptions,
  work: (loader: Loader) => Promise<void>,
): Promise<void> {
  await withClient(ownerUrl, async (client) => {
    const quoted = tables.map((table) => pg.escapeIdentifier(table))
    await client.query('begin')
    const forced = await listForced(client)
    for (const table of forced) await client.query(`alter table ${table} no force row level security`)
    for (const table of quoted) await client.query(`alter table ${table} disable trigger user`)
    await client.query(`truncate ${quoted.join(', ')}`)
    await work({ insert: (table, rows) => insertRows(client, table, rows) })
    await advanceSequences(client)
    for (const table of quoted) await client.query(`alter table ${table} enable trigger user`)
    for (const table of forced) await client.query(`alter table ${table} force row level security`)
    await client.query('update cell set fenced_at = now(), fence_reason = $1 where id = 1', [fenceReason])
    await client.query('commit')
  })
}

async function advanceSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select attrelid::regclass::text as table, quote_ident(attname) as column from pg_attribute
     where attidentity <> '' and attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')`,
  )
  for (const { table, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), (select coalesce(max(${column}), 0) from ${table}) + $3::bigint)`,
      [table, column, numbersToSkip],
    )
}

async function listForced(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`,
  )
  return rows.map(({ name }) => name)
}

async function insertRows(client: pg.Client, table: string, rows: readonly string[]): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  const names = columns.map(({ name }) => name).join(', ')
  const quoted = pg.escapeIdentifier(table)
  await client.query(`insert into ${quoted} (${names}) overriding system value select ${names} from unnest($1::${quoted}[])`, [
    rows,
  ])
}

const insufficientPrivilege = '42501'

async function withClient<T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new LimitedClient({ connectionString: ownerUrl, application_name: 'carillon restore', keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error
    throw new StartError(`The user of DATABASE_URL is not the owner of the tables: ${(error as Error).message}.`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}
