import { runCarillon } from '@carillon/stack/services'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { secretKeys, urlsOf } from '../../../test/logins.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { checkSchema } from './check-schema.ts'
import { openDatabase, type Database } from './db.ts'

let database: TestDatabase
let owner: pg.Client
let db: Database

beforeAll(async () => {
  database = await startDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  const pool = { connections: 2, statementMs: 10_000 }
  db = openDatabase({ ...urlsOf(database.url), tenant: pool, system: pool, onError: () => {} })
})
afterEach(async () => {
  await owner.query(`delete from migration where name like '9%'`)
})
afterAll(async () => {
  await db.close()
  await owner.end()
  await database.stop()
})

const check = (version: string) => checkSchema(db.system, { needsMigrations: true, version })

test('guarantee: a release starts on the schema of a later one, because going back must work', async () => {
  await owner.query(`insert into migration (name) values ('900_of_a_later_release.sql')`)
  await expect(check('1.2.0')).resolves.toBeUndefined()
})

test('guarantee: a release refuses a schema that lacks what it uses, and says what to do', async () => {
  await owner.query(`insert into migration (name, oldest_release) values ('901_contract.sql', '1.3.0')`)
  await expect(check('1.2.9')).rejects.toThrow(
    'This is Carillon 1.2.9, and the database needs 1.3.0 or newer: the migration 901_contract.sql removed something',
  )
  await expect(check('1.3.0')).resolves.toBeUndefined()
})

test('a database that only earlier releases have migrated can be checked', async () => {
  await owner.query('alter table migration drop column oldest_release')
  await expect(check('0.1.0')).resolves.toBeUndefined()
  await owner.query('alter table migration add column oldest_release text')
})

test(
  'guarantee: serve --no-migrate changes nothing and refuses a schema that lacks a migration',
  { timeout: 60_000 },
  async () => {
    const { rows } = await owner.query<{ name: string }>('select name from migration order by name desc limit 1')
    const name = rows[0]?.name ?? ''
    await owner.query('delete from migration where name = $1', [name])
    const env = { DATABASE_URL: database.url, CARILLON_SECRET_KEYS: secretKeys }
    await expect(runCarillon(['serve', '--no-migrate', '--role', 'api'], { env })).rejects.toThrow(
      `The database lacks 1 migrations, the first of which is ${name}. Run "carillon migrate"`,
    )
    expect((await owner.query('select from migration where name = $1', [name])).rowCount).toBe(0)
    await owner.query('insert into migration (name) values ($1)', [name])
  },
)
