import { AbortedTransactionError, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database, type Tx } from './db.ts'
import { urlsOf } from '../../../test/logins.ts'
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
  // With a single connection, the next transaction would see anything that the previous one left behind.
  const single = { connections: 1, statementMs: 10_000 }
  db = openDatabase({ ...urlsOf(database.url), tenant: single, system: single, onError: () => {} })
})

afterAll(async () => {
  await db.close()
  await database.stop()
})

const names = async (tx: Tx) =>
  (await tx.selectFrom('workspace').select('name').orderBy('name').execute()).map(({ name }) => name)
const rename = (tx: Tx, name: string) => tx.updateTable('workspace').set({ name }).execute()

test('guarantee: a transaction sees its own workspace only, whatever used the connection before', async () => {
  const seen = await Promise.all([
    db.readOnly('w1', names),
    db.tenant('w2', names),
    db.readOnly('w2', names),
    db.tenant('w1', names),
  ])
  expect(seen).toEqual([['One'], ['Two'], ['Two'], ['One']])
})

test('guarantee: a workspace id cannot inject SQL', async () => {
  expect(await db.readOnly(`w1', true), set_config('carillon.workspace', 'w2`, names)).toEqual([])
})

test('guarantee: a read-only transaction cannot change anything', async () => {
  await expect(db.readOnly('w1', (tx) => rename(tx, 'Changed'))).rejects.toMatchObject({ code: '25006' })
  expect(await db.readOnly('w1', names)).toEqual(['One'])
})

test('guarantee: a read-only transaction shows one moment, whatever is changed meanwhile', async () => {
  const changeTo = (name: string) => db.system.updateTable('workspace').where('id', '=', 'w1').set({ name }).execute()
  const seen = await db.readOnly('w1', async (tx) => {
    const before = await names(tx)
    await changeTo('Changed')
    return [before, await names(tx)]
  })
  expect([seen, await db.readOnly('w1', names)]).toEqual([[['One'], ['One']], ['Changed']])
  await changeTo('One')
})

test('guarantee: after an error nothing is stored, and the connection can be used again', async () => {
  const failed = db.tenant('w1', async (tx) => {
    await rename(tx, 'Changed')
    await sql`select 1 / 0`.execute(tx)
  })
  await expect(failed).rejects.toMatchObject({ code: '22012' })
  expect(await db.readOnly('w1', names)).toEqual(['One'])
})

test('guarantee: an error that the caller caught still rolls everything back, and is reported', async () => {
  const failed = db.tenant('w1', async (tx) => {
    await rename(tx, 'Changed')
    await sql`select 1 / 0`.execute(tx).catch(() => {})
  })
  await expect(failed).rejects.toBeInstanceOf(AbortedTransactionError)
  expect(await db.readOnly('w1', names)).toEqual(['One'])
})

test('guarantee: a transaction that has ended cannot be used again', async () => {
  const kept = await db.readOnly('w1', (tx) => Promise.resolve({ tx }))
  await expect(names(kept.tx)).rejects.toThrow('the transaction has ended')
})

test('statements sent together each get their own answer', async () => {
  const answers = await db.readOnly('w1', (tx) =>
    Promise.all([1, 2, 3].map(async (n) => (await sql<{ n: number }>`select ${n}::int as n`.execute(tx)).rows[0]?.n)),
  )
  expect(answers).toEqual([1, 2, 3])
})
