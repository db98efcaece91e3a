import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { urlsOf } from '../../../test/logins.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { openDatabase, type Database } from '../db/db.ts'
import { checkSecretKeys } from './check-secret-keys.ts'
import { parseSecretKeys, seal } from './seal.ts'

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const k1 = parseSecretKeys(key('k1', 1))
const wrongK1 = parseSecretKeys(key('k1', 9))
const k2 = parseSecretKeys(key('k2', 2))
const k2k1 = parseSecretKeys(`${key('k2', 2)},${key('k1', 1)}`)

let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await startDatabase()
  const pool = { connections: 2, statementMs: 10_000 }
  db = openDatabase({ ...urlsOf(database.url), tenant: pool, system: pool, onError: () => {} })
  await sql`insert into workspace values ('w1', 'One', 'one', 'free', 'UTC', null, now(), now())`.execute(db.system)
})
afterAll(async () => {
  await db.close()
  await database.stop()
})
afterEach(async () => {
  await sql`delete from secret_canary`.execute(db.system)
  await sql`delete from connection`.execute(db.system)
})

const check = (keys: typeof k1) => checkSecretKeys(db.system, keys)
const insertConnection = (keys: typeof k1) => {
  const sealed = seal(keys, { workspaceId: 'w1', rowId: 'c1', column: 'credentials' }, '{}')
  return sql`
    insert into connection
      (workspace_id, id, platform, slug, handle, display_name, account_id, status, credentials_sealed, token_renewed_at, connected_at, updated_at)
    values ('w1', 'c1', 'x', 'x-one', 'one', 'One', '1', 'active', ${sealed}, now(), now(), now())`.execute(db.system)
}

test('guarantee: a key with another value under the same id is refused', async () => {
  await check(k1)
  await expect(check(k1)).resolves.toBeUndefined()
  await expect(check(wrongK1)).rejects.toThrow('The key "k1" in CARILLON_SECRET_KEYS is not the one that encrypted the secrets')
})

test('guarantee: a wrong key is refused although the database is from before there were canaries', async () => {
  await insertConnection(k1)
  await expect(check(wrongK1)).rejects.toThrow('The key "k1" in CARILLON_SECRET_KEYS is not the one')
  await expect(check(k1)).resolves.toBeUndefined()
})

test('guarantee: a missing key that is in use is refused and named', async () => {
  await check(k1)
  await insertConnection(k1)
  await expect(check(k2)).rejects.toThrow(
    'encrypted with the key "k1", but CARILLON_SECRET_KEYS does not contain it. Add it after',
  )
  await expect(check(k2k1)).resolves.toBeUndefined()
})

test('a key that is no longer in use may be removed, and its id used again', async () => {
  await check(k1)
  await check(k2k1)
  await expect(check(k2)).resolves.toBeUndefined()
  await expect(check(wrongK1)).resolves.toBeUndefined()
})

test('guarantee: of two processes that start at once with different keys, only one starts', async () => {
  const results = await Promise.allSettled([check(k1), check(wrongK1)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
