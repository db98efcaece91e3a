import { AbortedTransactionError, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database, type Tx } from './db.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await startDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    insert into workspace values ('w1', 'One', 'one', 'free', 'UTC', null, now(), now()), ('w2', 'Two', 'two', 'free', 'UTC', null, now(), now())`)
  await client.end()
  // A single connection: whatever one transaction left behind, the next would find.
  db = openDatabase({ url: database.url, tenantConnections: 1, systemConnections: 1, onError: () => {} })
})

afterAll(async () => {
  await db.close()
  await database.stop()
})

const names = async (tx: Tx) =>
  (await tx.selectFrom('workspace').select('name').orderBy('name').execute()).map(({ name }) => name)
const rename = (tx: Tx, name: string) => tx.updateTable('workspace').set({ name }).execute()

test('guarantee: a transaction sees its own workspace only, whoever had the connection before', async () => {
  const seen = await Promise.all([
    db.readOnly('w1', names),
    db.tenant('w2', names),
    db.readOnly('w2', names),
    db.tenant('w1', names),
  ])
  expect(seen).toEqual([['One'], ['Two'], ['Two'], ['One']])
})

test('guarantee: an id cannot say more than which workspace', async () => {
  expect(await db.readOnly(`w1', true), set_config('carillon.workspace', 'w2`, names)).toEqual([])
})

test('guarantee: what only looks cannot change anything', async () => {
  await expect(db.readOnly('w1', (tx) => rename(tx, 'Changed'))).rejects.toMatchObject({ code: '25006' })
  expect(await db.readOnly('w1', names)).toEqual(['One'])
})

test('guarantee: after an error nothing stays, and the connection serves the next', async () => {
  const failed = db.tenant('w1', async (tx) => {
    await rename(tx, 'Changed')
    await sql`select 1 / 0`.execute(tx)
  })
  await expect(failed).rejects.toMatchObject({ code: '22012' })
  expect(await db.readOnly('w1', names)).toEqual(['One'])
})

test('guarantee: an error that nobody minded still undoes everything, and is told', async () => {
  const failed = db.tenant('w1', async (tx) => {
    await rename(tx, 'Changed')
    await sql`select 1 / 0`.execute(tx).catch(() => {})
  })
  await expect(failed).rejects.toBeInstanceOf(AbortedTransactionError)
  expect(await db.readOnly('w1', names)).toEqual(['One'])
})

test('guarantee: a transaction that has ended is closed for good', async () => {
  const kept = await db.readOnly('w1', (tx) => Promise.resolve({ tx }))
  await expect(names(kept.tx)).rejects.toThrow('the transaction has ended')
})

test('statements asked for together get each its own answer', async () => {
  const answers = await db.readOnly('w1', (tx) =>
    Promise.all([1, 2, 3].map(async (n) => (await sql<{ n: number }>`select ${n}::int as n`.execute(tx)).rows[0]?.n)),
  )
  expect(answers).toEqual([1, 2, 3])
})
