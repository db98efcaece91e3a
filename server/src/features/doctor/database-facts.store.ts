import pg from 'pg'
import { LimitedClient } from '../../infra/db/connection-limits.ts'
import { openUploadBytesMin } from '../media/media.store.ts'

export type DatabaseFacts = {
  version: number
  user: string
  nowMs: number
  connectionsMax: number
  canCreateRoles: boolean
  canCreateTables: boolean
}

export function probeDatabase(url: string): Promise<DatabaseFacts> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<DatabaseFacts>(`
      select current_setting('server_version_num')::int / 10000 as version,
        current_user::text as user,
        (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
        current_setting('max_connections')::int as "connectionsMax",
        (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as "canCreateRoles",
        has_schema_privilege('public', 'create') as "canCreateTables"`)
    const [facts] = rows
    if (!facts) throw new Error('PostgreSQL does not describe itself')
    return facts
  })
}

export async function canConnect(url: string): Promise<boolean> {
  return withClient(url, async () => true).catch(() => false)
}

export function hasRole(url: string, name: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rows } = await client.query('select 1 from pg_roles where rolname = $1', [name])
    return rows.length > 0
  })
}

/** The migrations that were applied; none if the database is new. */
export function readAppliedMigrations(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from migration').catch((error: { code?: string }) => {
      if (error.code === undefinedTable) return { rows: [] }
      throw error
    })
    return rows.map(({ name }) => name)
  })
}

const undefinedTable = '42P01'
const undefinedFunction = '42883'

/** The bytes of the files of all workspaces, as the limit of the installation counts them. Null before the migration that counts them. */
export function readStorageUse(url: string): Promise<number | null> {
  return withClient(url, async (client) => {
    const { rows } = await client
      .query<{ bytes: string }>('select sum_installation_storage($1) as bytes', [openUploadBytesMin])
      .catch((error: { code?: string }) => {
        if (error.code === undefinedFunction) return { rows: [] }
        throw error
      })
    return rows[0] ? Number(rows[0].bytes) : null
  })
}

/** The system login reads every table. The app login reads those that have a workspace's rows, and writes posts. */
const neededRights = {
  system: `select 'select on ' || relname as missing
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not has_table_privilege(oid, 'select')`,
  app: `select privilege || ' on ' || relname as missing
    from unnest(array['post', 'part', 'channel', 'connection', 'media', 'webhook', 'workspace']) relname,
      unnest(array['select', 'insert', 'update', 'delete']) privilege
    where to_regclass(relname) is not null and not has_table_privilege(relname, privilege)`,
}

/** The rights on tables that the login of this address lacks. */
export function findMissingRights(url: string, role: keyof typeof neededRights): Promise<string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ missing: string }>(`${neededRights[role]} order by missing`)
    return rows.map(({ missing }) => missing)
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new LimitedClient({ connectionString: url, application_name: 'carillon doctor', statement_timeout: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}
