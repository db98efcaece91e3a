import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startPostgres, type Postgres } from '@carillon/stack/services'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from './migrate.ts'

let dir: string
let postgres: Postgres
let client: pg.Client
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-migrate-'))
  postgres = await startPostgres({ dir, fsync: false })
  client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
}, 60_000)
afterAll(async () => {
  await client.end()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Runs these files on the same database as the ones before. */
async function run(files: Record<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(dir, 'files-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return migrate(postgres.url, pathToFileURL(`${folder}/`))
}

const first = { '001_bell.sql': 'create table bell (id int);\n' }
const second = { '002_index.sql': '-- no transaction\ncreate index concurrently if not exists bell_id on bell (id);\n' }

test('files run once and in order; statements that need it run outside a transaction', async () => {
  expect(await run(first)).toEqual(['001_bell.sql'])
  expect(await run({ ...second, ...first })).toEqual(['002_index.sql'])
  expect(await run({ ...first, ...second })).toEqual([])
})

test('guarantee: a file that fails leaves nothing behind', async () => {
  const broken = { '003_broken.sql': 'create table rope (id int);\nselect no_such_function();\n' }
  await expect(run({ ...first, ...second, ...broken })).rejects.toThrow('no_such_function')
  expect((await client.query("select to_regclass('rope') as name")).rows).toEqual([{ name: null }])
})

test('guarantee: a file that was changed after it ran is refused', async () => {
  await expect(run({ '001_bell.sql': 'create table bell (id bigint);\n', ...second })).rejects.toThrow(
    'The migration 001_bell.sql was changed after this database had run it.',
  )
})

/** Guarantee: a migration does not stop the service by waiting for a lock in front of all its queries. */
test('a migration that does not get its lock lets others read, and works when it is free', async () => {
  await client.query('begin')
  await client.query('lock table bell in access share mode')
  const altering = run({ ...first, ...second, '004_column.sql': 'alter table bell add column name text;\n' })
  // PostgreSQL queues readers behind a waiting change of the table. With a timeout, the longest wait of a reader is three seconds.
  const other = new pg.Client({ connectionString: postgres.url })
  await other.connect()
  await other.query("set statement_timeout = '6s'")
  await expect(
    (async () => {
      for (let n = 0; n < 10; n++) await other.query('select pg_sleep(0.4), count(*) from bell')
    })(),
  ).resolves.toBeUndefined()
  await other.end()
  await client.query('commit')
  expect(await altering).toEqual(['004_column.sql'])
}, 60_000)

test('a file that removes something says which release is the oldest that works afterwards', async () => {
  const contract = { '005_contract.sql': '-- contract: unused since 1.4.0\nalter table bell drop column name;\n' }
  const column = { '004_column.sql': 'alter table bell add column name text;\n' }
  expect(await run({ ...first, ...second, ...column, ...contract })).toEqual(['005_contract.sql'])
  const { rows } = await client.query('select name, oldest_release from migration where oldest_release is not null')
  expect(rows).toEqual([{ name: '005_contract.sql', oldest_release: '1.4.0' }])
})
