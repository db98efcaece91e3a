import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { LimitedClient } from '../../infra/db/connection-limits.ts'
import { StartError } from '../../infra/problem/problem.ts'

/** Texts of rows depend on these. They are the same on both sides, so that a row has the same text in both. */
const options = '-c TimeZone=UTC -c DateStyle=ISO,MDY -c IntervalStyle=postgres -c extra_float_digits=1 -c bytea_output=hex'

export type MoveClient = pg.Client

/**
 * A connection without the time limits of the service: a large workspace takes minutes. Waiting for a lock is limited, because requests of
 * the workspace wait meanwhile.
 */
export async function openMoveClient(url: string): Promise<MoveClient> {
  const client = new LimitedClient({ connectionString: url, application_name: 'carillon move', keepAlive: true, options })
  client.on('error', () => {})
  await client.connect()
  await client.query(`set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '40s'`)
  return client
}

/** Two transactions waited for each other, a change came in between, or waiting for a lock took too long. */
const conflictCodes = new Set(['40P01', '40001', '55P03'])
const triesMax = 5

/** Runs a transaction. When PostgreSQL ends it because of another one, it runs again. */
export async function transact<T>(client: MoveClient, work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await runOnce(client, work)
    } catch (error) {
      if (n >= triesMax || !isConflict(error)) throw error
    }
  }
}

/** Less than the second after which PostgreSQL looks for transactions that wait for each other. */
const lockMs = 300
/** Long enough for the transactions that waited for this one to end. */
const giveWayMs = 100
/** Less than the two minutes after which a workspace that is closing opens again. */
const tryForMs = 60_000

/**
 * Runs a transaction that locks many rows, which others lock in another order. It waits only briefly for each lock; then it gives up all of
 * them, so that the others can end, and runs again. Waiting until PostgreSQL finds the deadlock would take a second each time, and would end
 * transactions of requests.
 */
export async function transactGivingWay<T>(client: MoveClient, work: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + tryForMs
  for (;;) {
    try {
      return await runOnce(client, async () => {
        await client.query(`set local lock_timeout = ${lockMs}`)
        return work()
      })
    } catch (error) {
      if (!isConflict(error)) throw error
      if (performance.now() > endMs)
        throw new StartError(
          `Rows of the workspace were in use for ${tryForMs / 1000} s. Nothing was changed; run this again when less happens in the workspace.`,
          { cause: error },
        )
      await sleep(giveWayMs)
    }
  }
}

async function runOnce<T>(client: MoveClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

function isConflict(error: unknown): boolean {
  return conflictCodes.has((error as { code?: string }).code ?? '')
}
