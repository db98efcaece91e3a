import type pg from 'pg'
import { LimitedClient } from '../../infra/db/connection-limits.ts'

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

const conflictCodes = new Set(['40P01', '40001', '55P03'])
const triesMax = 5

/** Runs a transaction. When PostgreSQL ends it because of another one, it runs again. */
export async function transact<T>(client: MoveClient, work: () => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    await client.query('begin')
    try {
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (n >= triesMax || !conflictCodes.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}
