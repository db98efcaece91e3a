import type { Stack } from '@carillon/stack'
import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'

export type Statement = { calls: number; totalMs: number; meanMs: number; rows: number; role: string; query: string }

/** Turns on pg_stat_statements. PostgreSQL loads it only at its start, so the server is restarted. */
export async function enableStatements(stack: Stack, { explain = false } = {}): Promise<void> {
  await withClient(stack, async (client) => {
    await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'${explain ? ", 'auto_explain'" : ''}`)
    if (!explain) return
    // The plans of slow statements go to PostgreSQL's log.
    await client.query("alter system set auto_explain.log_min_duration = '3ms'")
    await client.query('alter system set auto_explain.log_analyze = on')
    await client.query('alter system set auto_explain.log_buffers = on')
  })
  await stack.postgres.restart()
  await stack.save()
  await withClient(stack, async (client) => {
    await client.query('create extension if not exists pg_stat_statements')
    await client.query('select pg_stat_statements_reset()')
  })
  // The server's pools need a moment to notice the closed connections and to open new ones.
  await sleep(1500)
}

export async function resetStatements(db: pg.Pool): Promise<void> {
  await db.query('select pg_stat_statements_reset()')
}

export async function readStatements(db: pg.Pool, limit = 25): Promise<Statement[]> {
  const { rows } = await db.query<Statement>(
    `select calls::int, round(total_exec_time::numeric, 1)::float as "totalMs", round(mean_exec_time::numeric, 3)::float as "meanMs",
       rows::int, userid::regrole::text as role, regexp_replace(left(query, 160), '\\s+', ' ', 'g') as query
     from pg_stat_statements order by total_exec_time desc limit $1`,
    [limit],
  )
  return rows
}

/** How often the logins whose names begin so ran each statement, the most frequent first. `begin` and `commit` are statements too. */
export async function countCalls(db: pg.Pool, role: string): Promise<{ calls: number; query: string }[]> {
  const { rows } = await db.query<{ calls: number; query: string }>(
    `select sum(calls)::int as calls, regexp_replace(left(query, 120), '\\s+', ' ', 'g') as query
     from pg_stat_statements
     where userid in (select oid from pg_roles where starts_with(rolname, $1))
     group by queryid, 2
     order by 1 desc`,
    [role],
  )
  return rows
}

/** The statements that one role or a login of it has used, by PostgreSQL's query id. */
export async function statementsOf(db: pg.Pool, role: string): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; query: string }>(
    `select queryid::text as id, left(query, 200) as query from pg_stat_statements
     where userid in (select oid from pg_roles where starts_with(rolname, $1))`,
    [role],
  )
  return new Map(rows.map(({ id, query }) => [id, query]))
}

async function withClient<T>(stack: Stack, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: stack.info.databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
