import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

export type Database = {
  /** Runs with one workspace in sight; row-level security hides every other. */
  tenant<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Across workspaces: recognising keys, carrying what is due. Each use says why in its store. */
  system: Db
  /** A connection of its own, for LISTEN; poolers cannot share those. */
  listen(channel: string, heard: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

type Options = { url: string; tenantConnections: number; systemConnections: number; onError: (error: Error) => void }

export function openDatabase({ url, tenantConnections, systemConnections, onError }: Options): Database {
  const pool = (role: string, max: number, more = '') => {
    // The role is part of the connection, so no query can run before it is set.
    const made = new pg.Pool({
      connectionString: url,
      max,
      options: `-c role=${role} -c TimeZone=UTC ${more}`,
      application_name: role,
      types,
    })
    made.on('error', onError)
    // A connection lost while a query runs tells it here too; unheard, that would end the process.
    made.on('connect', (client) => void client.on('error', onError))
    return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: made }) })
  }
  const app = pool('carillon_app', tenantConnections)
  // What the system role asks is always by key. Without this, a plan made while the tables were small would scan them.
  const system = pool(
    'carillon_system',
    systemConnections,
    '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off',
  )
  return {
    system,
    tenant: (workspaceId, work) =>
      retried(() =>
        app.transaction().execute(async (tx) => {
          await tx.executeQuery(CompiledQuery.raw("select set_config('carillon.workspace', $1, true)", [workspaceId]))
          return work(tx)
        }),
      ),
    listen: (channel, heard) => listen(url, { channel, heard, onError }),
    async close() {
      await Promise.all([app.destroy(), system.destroy()])
    },
  }
}

/** An instant always comes as `2026-11-15 12:00:00.123456+00` here; reading just that is several times faster than reading every form. */
const readInstant = (text: string) => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.TIMESTAMPTZ && format !== 'binary' ? readInstant : pg.types.getTypeParser(oid, format),
}

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
