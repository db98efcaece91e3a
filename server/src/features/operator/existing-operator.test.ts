import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@carillon/stack/services'
import pg from 'pg'
import { expect, test } from 'vitest'
import { listMigrations, migrate } from '../../infra/db/migrate.ts'

/** Guarantee: an upgrade makes nobody operator who was not. The owner of the tables is no superuser, as operators should have it. */
test('an upgrade keeps the first owner of the oldest workspace as operator', { timeout: 120_000 }, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-operator-'))
  const postgres = await startPostgres({ dir, fsync: false })
  const superuser = new pg.Client({ connectionString: postgres.url })
  await superuser.connect()
  await superuser.query('create role tower login createrole')
  await superuser.query('create database carillon owner tower')
  await superuser.end()
  const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${postgres.port}/carillon`
  await migrate(
    urlOf('tower'),
    undefined,
    (await listMigrations()).filter((name) => name < '048'),
  )
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  await client.query(`
    insert into workspace
    values ('b', 'Later', 'later', 'free', 'UTC', null, now(), now()), ('a', 'First', 'first', 'free', 'UTC', null, now(), now());
    insert into person (id, email, name, created_at)
    select id, id || '@example.com', id, now() from unnest(array['tenant', 'helper', 'second', 'operator']) as id;
    insert into member (workspace_id, person_id, role, joined_at)
    values ('b', 'tenant', 'owner', now() - interval '9 days'), ('a', 'helper', 'admin', now() - interval '8 days'),
      ('a', 'second', 'owner', now()), ('a', 'operator', 'owner', now() - interval '1 day')`)
  await migrate(urlOf('tower'))
  expect((await client.query('select operator_id from cell')).rows).toEqual([{ operator_id: 'operator' }])
  const { rows } = await client.query(`select from pg_class where relname in ('workspace', 'member') and relforcerowsecurity`)
  expect(rows).toHaveLength(2)
  await client.end()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})
