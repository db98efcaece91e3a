import { CompiledQuery, Kysely, PostgresDialect, type Transaction, sql } from 'kysely'
import pg from 'pg'
import { LimitedClient, closeConnection, closeSilentConnections, connectionLimits, watchQueries } from './connection-limits.ts'
import { sessionSettings } from './session-defaults.ts'
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
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>
  /** The use of the connection pools at this moment. */
  pools(): PoolUse[]
  close(): Promise<void>
}

type PoolUse = { pool: 'tenant' | 'system'; max: number; open: number; idle: number; waiting: number }

type PoolOptions = { connections: number; statementMs: number }
/** Two addresses of the same database, with two logins: one that row-level security applies to, and one that sees all workspaces. */
type Options = {
  appUrl: string
  systemUrl: string
  /** The address of PostgreSQL itself, for notifications, if the others are those of a pooler. */
  listenUrl?: string
  tenant: PoolOptions
  system: PoolOptions
  onError: (error: Error) => void
}

type Session = { name: keyof typeof sessionSettings; pipeline: boolean }

const reconnectMs = 500
/** Nothing is sent on a listening connection, so only a query shows whether PostgreSQL is still at the other end. */
const checkEveryMs = 10_000
const answerMs = 5_000
const endMs = 1_000

type ListenOptions = {
  url: string
  channel: string
  onNotification: (payload: string) => void
  onError: (error: Error) => void
}

export function openDatabase({ appUrl, systemUrl, listenUrl, tenant, system: systemOptions, onError }: Options): Database {
  const isPooled = listenUrl !== undefined
  const openPool = (url: string, { connections, statementMs }: PoolOptions, { name, pipeline }: Session) => {
    const pool = new pg.Pool({
      connectionString: url,
      application_name: name,
      types,
      max: connections,
      pipeline,
      Client: LimitedClient,
      // A pooler shares its connections, so it refuses settings of one client. There the logins have them as their defaults.
      ...(isPooled ? { keepAlive: true } : { options: startOptions(sessionSettings[name]), ...connectionLimits(statementMs) }),
    })
    pool.on('error', onError)
    // A connection that is lost while a query runs emits an error too. Without a listener, it would end the process.
    pool.on('connect', (client) => void client.on('error', onError))
    closeSilentConnections(pool, statementMs)
    return pool
  }
  // With pipelining, a statement is sent without waiting for the answer to the previous one.
  const app = openPool(appUrl, tenant, { name: 'carillon_app', pipeline: true })
  const transact = tenantTransactions(app, onError)
  const systemPool = openPool(systemUrl, systemOptions, { name: 'carillon_system', pipeline: false })
  const system = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: systemPool }) })
  return {
    system,
    tenant: (workspaceId, work) => retryConflicts(() => transact(workspaceId, 'read write', work)),
    readOnly: (workspaceId, work) => transact(workspaceId, 'read only', work),
    listen: (channel, onNotification) => listen({ url: listenUrl ?? systemUrl, channel, onNotification, onError }),
    pools: () => [useOf('tenant', app), useOf('system', systemPool)],
    async close() {
      await Promise.all([app.end(), system.destroy()])
    },
  }
}

function startOptions(settings: Record<string, string>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

function useOf(pool: PoolUse['pool'], { options, totalCount, idleCount, waitingCount }: pg.Pool): PoolUse {
  return { pool, max: options.max, open: totalCount, idle: idleCount, waiting: waitingCount }
}

/** All connections use UTC, so an instant always looks like `2026-11-15 12:00:00.123456+00`. Parsing only this form is several times faster. */
function readInstant(text: string): Date {
  if (!text.endsWith('+00'))
    throw new Error(
      `the database connection does not use UTC ("${text}"). Behind a pooler, the logins need it as their default: restart Carillon ` +
        'and the pooler, or see docs/guides/scaling.md for logins of your own',
    )
  return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}

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

/**
 * Subscribes to notifications, and subscribes again after every loss of the connection until it is stopped. `onNotification` is also called
 * after each subscription, with an empty payload, because notifications may have been missed before it.
 */
async function listen({ url, channel, onNotification, onError }: ListenOptions): Promise<() => Promise<void>> {
  let current: pg.Client | null = null
  let isStopped = false
  const connect = async () => {
    if (isStopped) return
    const client = new LimitedClient({
      connectionString: url,
      application_name: `listen ${channel}`,
      ...connectionLimits(answerMs),
    })
    watchQueries(client, answerMs, () => closeConnection(client, answerMs))
    const check = setInterval(() => void client.query('select 1').catch(() => {}), checkEveryMs)
    const reconnect = (error?: Error) => {
      clearInterval(check)
      if (current !== client) return
      current = null
      if (error) onError(error)
      setTimeout(() => void connect(), reconnectMs)
    }
    current = client
    client.on('error', reconnect)
    client.on('end', () => reconnect())
    client.on('notification', ({ payload }) => onNotification(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      onNotification('')
    } catch (error) {
      reconnect(error instanceof Error ? error : new Error(String(error)))
    }
  }
  await connect()
  return async () => {
    isStopped = true
    const last = current
    current = null
    if (!last) return
    // A silent connection would never confirm its end.
    const timer = setTimeout(() => closeConnection(last, endMs), endMs)
    await last.end().catch(() => {})
    clearTimeout(timer)
  }
}

/**
 * Runs a statement whose text is fixed. For every new post, building the query would take longer than PostgreSQL takes to run it; elsewhere
 * the types of the query builder are worth more.
 */
export async function runStatement<Row>(db: Db | Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return rows
}

/** Placeholders for `count` values, for example `$4, $5, $6` from 4. */
export function places(from: number, count: number): string {
  return Array.from({ length: count }, (_, at) => `$${from + at}`).join(', ')
}

/** SQLSTATE classes of a database that is away, overloaded or cut off, and Node's codes of a lost connection. */
const awayCodes = /^(?:08|25P03|40|53|55P03|57|58|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/

/** True when the database could not be reached or asked to be tried again: then nothing is wrong with the values. */
export function isConnectionError(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return awayCodes.test(code)
  return typeof message === 'string' && /connection|timeout/i.test(message)
}

/** A read-only transaction in which each statement may take `statementMs`, less than the usual limit of its pool. */
export function withStatementLimit<T>(db: Db, statementMs: number, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(tx)
      return work(tx)
    })
}
