import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { closeSilentConnections, connectionLimits, LimitedClient } from './connection-limits.ts'
import { listen } from './listen.ts'
import type { Tables } from './tables.ts'
import { tenantTransactions } from './tenant-transaction.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

export type Database = {
  /** Runs a transaction that can see one workspace; row-level security hides all others. */
  tenant<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** The same for reading only: PostgreSQL refuses every change. */
  readOnly<T>(workspaceId: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Sees all workspaces, for example to recognise API keys and to dispatch what is due. Each use says why in its store. */
  system: Db
  /** Subscribes on a connection of its own, because a pool cannot share one that listens. Returns how to stop. */
  listen(channel: string, onNotification: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}

type PoolOptions = { connections: number; statementMs: number }
type Options = { url: string; tenant: PoolOptions; system: PoolOptions; onError: (error: Error) => void }

export function openDatabase({ url, tenant, system: systemOptions, onError }: Options): Database {
  const openPool = (role: string, { connections, statementMs }: PoolOptions, { pipeline = false, options = '' }) => {
    const pool = new pg.Pool({
      connectionString: url,
      // The role is part of the connection, so no query can run before it is set.
      options: `-c role=${role} -c TimeZone=UTC ${options}`,
      application_name: role,
      types,
      max: connections,
      pipeline,
      Client: LimitedClient,
      ...connectionLimits(statementMs),
    })
    pool.on('error', onError)
    // A connection that is lost while a query runs emits an error too. Without a listener, it would end the process.
    pool.on('connect', (client) => void client.on('error', onError))
    closeSilentConnections(pool, statementMs)
    return pool
  }
  // With pipelining, a statement is sent without waiting for the answer to the previous one.
  const app = openPool('carillon_app', tenant, { pipeline: true })
  const transact = tenantTransactions(app, onError)
  // The system role always reads by key. Without these settings, a plan made while the tables were small would scan them.
  const byKey = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'
  const system = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: openPool('carillon_system', systemOptions, { options: byKey }) }),
  })
  return {
    system,
    tenant: (workspaceId, work) => retryConflicts(() => transact(workspaceId, 'read write', work)),
    readOnly: (workspaceId, work) => transact(workspaceId, 'read only', work),
    listen: (channel, onNotification) => listen({ url, channel, onNotification, onError }),
    async close() {
      await Promise.all([app.end(), system.destroy()])
    },
  }
}

/** All connections use UTC, so an instant always looks like `2026-11-15 12:00:00.123456+00`. Parsing only this form is several times faster. */
const readInstant = (text: string) => new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant)

const triesMax = 3

/** When two transactions wait for each other, PostgreSQL rolls one of them back. It can simply run again. */
async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (n >= triesMax || (code !== '40P01' && code !== '40001')) throw error
    }
  }
}
