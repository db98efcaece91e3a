import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { urlsOf } from '../../../test/logins.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { openDatabase, type Database, type Db, type Tx } from './db.ts'

const pool = { connections: 1, statementMs: 5000 }
let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await startDatabase()
  db = openDatabase({ ...urlsOf(database.url), tenant: pool, system: pool, onError: () => {} })
})
afterAll(async () => {
  await db.close()
  await database.stop()
})

async function readSettings(session: Db | Tx) {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in ('TimeZone', 'jit', 'enable_seqscan')`.execute(session)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

/** Guarantee: no statement waits for a compiler, and instants are read in UTC, whatever the defaults of the database are. */
test('every session has its settings', async () => {
  expect(await db.tenant('w1', readSettings)).toEqual({ TimeZone: 'UTC', jit: 'off', enable_seqscan: 'on' })
  expect(await readSettings(db.system)).toEqual({ TimeZone: 'UTC', jit: 'off', enable_seqscan: 'off' })
})
