import pg from 'pg'

/** How long a new connection may take to open. */
const connectMs = 5_000
/** After this long without traffic, the operating system checks whether the other end still exists. */
const keepAliveAfterMs = 10_000
/** PostgreSQL ends a statement itself first, so that its error names the cause. The client waits this much longer. */
const answerMarginMs = 2_000

/** The limits of a connection whose statements may take `statementMs`. PostgreSQL enforces the server-side ones. */
export function connectionLimits(statementMs: number) {
  return {
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    statement_timeout: statementMs,
    lock_timeout: Math.ceil(statementMs / 2),
    // Longer than a statement: some transactions still call a platform, and such a call ends after 30 s.
    idle_in_transaction_session_timeout: 60_000,
  } satisfies pg.ClientConfig
}

/**
 * A client with a time limit for connecting. The pool has an option of that name too, but there it also limits the wait for a free
 * connection, and waiting in a burst is no error.
 */
export class LimitedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: connectMs })
  }
}

/**
 * Closes connections on which PostgreSQL does not answer. A network device can drop a connection without telling either end: TCP then
 * reports nothing, statement_timeout cannot arrive, and a query would wait for ever. The `query_timeout` of pg rejects the query, but leaves
 * the connection in the pool, where the next query waits behind the first.
 */
export function closeSilentConnections(pool: pg.Pool, statementMs: number): void {
  const idle = new Set<pg.ClientBase>()
  pool.on('acquire', (client) => void idle.delete(client))
  pool.on('release', (_error, client) => void idle.add(client))
  pool.on('remove', (client) => void idle.delete(client))
  const closeAll = (silent: pg.ClientBase) => {
    // What silenced one connection usually silenced the others; trying each in turn would take this long for each.
    for (const client of [silent, ...idle]) closeConnection(client, statementMs)
    idle.clear()
  }
  pool.on('connect', (client) => watchQueries(client, statementMs + answerMarginMs, () => closeAll(client)))
}

export function watchQueries(client: pg.ClientBase, answerMs: number, onSilence: () => void): void {
  const query: (...args: unknown[]) => unknown = client.query.bind(client)
  const watched = (...args: unknown[]) => {
    const result = query(...args)
    if (result instanceof Promise) {
      const timer = setTimeout(onSilence, answerMs)
      const stop = () => clearTimeout(timer)
      result.then(stop, stop)
    }
    return result
  }
  Object.assign(client, { query: watched })
}

/** Ends a connection without the farewell of the protocol, which a silent connection would never confirm. Its queries are rejected. */
export function closeConnection(client: pg.ClientBase, waitedMs: number): void {
  const { connection } = client as unknown as { connection: pg.Connection }
  connection.stream.destroy(new Error(`PostgreSQL did not answer within ${waitedMs} ms; the connection was closed`))
}
