import { sql } from 'kysely'
import type { Db, Tx } from './db.ts'

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
