import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'
import { tenantTransactions } from './tenant-transaction.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

export type Database = {
  /** Runs with one workspace in sight; row-level security hides every other. */
  tenant<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for what only looks: PostgreSQL refuses every change. */
  readOnly<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Across workspaces: recognising keys, carrying what is due. Each use says why in its store. */
  system: Db
  /** A connection of its own, for LISTEN; poolers cannot share those. */
  listen(channel: string, heard: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

type Options = { url: string; tenantConnections: number; systemConnections: number; onError: (error: Error) => void }

export function openDatabase({ url, tenantConnections, systemConnections, onError }: Options): Database {
  const openPool = (role: string, settings: { max: number; pipeline?: boolean }, more = '') => {
    // The role is part of the connection, so no query can run before it is set.
    const pool = new pg.Pool({
      connectionString: url,
      options: `-c role=${role} -c TimeZone=UTC ${more}`,
      application_name: role,
      types,
      ...settings,
    })
    pool.on('error', onError)
    // A connection lost while a query runs tells it here too; unheard, that would end the process.
    pool.on('connect', (client) => void client.on('error', onError))
    return pool
  }
  // Statements are sent as they come, without waiting for the answer to the one before.
  const app = openPool('carillon_app', { max: tenantConnections, pipeline: true })
  const transact = tenantTransactions(app, onError)
  // What the system role asks is always by key. Without this, a plan made while the tables were small would scan them.
  const byKey = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'
  const system = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: openPool('carillon_system', { max: systemConnections }, byKey) }),
  })
  return {
    system,
    tenant: (workspaceId, work) => retried(() => transact(workspaceId, 'read write', work)),
    readOnly: (workspaceId, work) => transact(workspaceId, 'read only', work),
    listen: (channel, heard) => listen(url, { channel, heard, onError }),
    async close() {
      await Promise.all([app.end(), system.destroy()])
    },
  }
}

/** An instant always comes as `2026-11-15 12:00:00.123456+00` here; reading just that is several times faster than reading every form. */
const readInstant = (text: string) => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant)

const triesMax = 3

/** Two transactions that waited for each other: PostgreSQL has undone one of them, and it may simply be done again. */
async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (n >= triesMax || (code !== '40P01' && code !== '40001')) throw error
    }
  }
}

/** Stays subscribed through restarts of the server: it connects again until told to stop. */
async function listen(
  url: string,
  { channel, heard, onError }: { channel: string; heard: () => void; onError: (error: Error) => void },
) {
  let client: pg.Client | null = null
  let stopped = false
  const connect = async () => {
    if (stopped) return
    const next = new pg.Client({ connectionString: url, application_name: `listen ${channel}` })
    const again = (error?: Error) => {
      if (client !== next) return
      client = null
      if (error) onError(error)
      setTimeout(() => void connect(), 500)
    }
    client = next
    next.on('error', again)
    next.on('end', () => again())
    next.on('notification', heard)
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch (error) {
      again(error instanceof Error ? error : new Error(String(error)))
    }
  }
  await connect()
  return async () => {
    stopped = true
    const last = client
    client = null
    await last?.end().catch(() => {})
  }
}
