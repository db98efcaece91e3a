import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@carillon/stack/services'
import pg from 'pg'
import { expect, test } from 'vitest'
import { listMigrations, migrate } from '../../infra/db/migrate.ts'

const channel = (id: string, connection: string, { platformPostId = 'NULL', minutesAgo = 0, state = 'published' }) => `
  insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at, dispatch_at,
    generation, needs_stage, warnings, platform_post_id, published_at)
  values ('w', '${id}', 'p', 0, '${connection}', 's', 'n', 'x', '${state}', now(), now(), 1, false, '[]', ${platformPostId},
    now() - interval '${minutesAgo} minutes');`

const connection = (id: string, accountId: string) => `
  insert into connection (workspace_id, id, platform, slug, handle, display_name, account_id, instance_url, status, credentials_sealed,
    token_renewed_at, connected_at, updated_at)
  values ('w', '${id}', 'x', '${id}', 'h', 'n', '${accountId}', null, 'active', '', now(), now(), now());`

/** Guarantee: posts that were published before the upgrade keep their ids. The owner of the tables is no superuser, as operators should have it. */
test(
  'an upgrade adds what is published already; of two channels with one id the first has it',
  { timeout: 120_000 },
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'carillon-existing-'))
    const postgres = await startPostgres({ dir, fsync: false })
    const superuser = new pg.Client({ connectionString: postgres.url })
    await superuser.connect()
    await superuser.query('create role tower login createrole')
    await superuser.query('create database carillon owner tower')
    await superuser.end()
    const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${postgres.port}/carillon`
    const before = (await listMigrations()).filter((name) => name < '035')
    await migrate(urlOf('tower'), undefined, before)
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    await client.connect()
    await client.query(`
    insert into workspace values ('w', 'W', 'w', 'free', 'UTC', null, now(), now());
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    values ('w', 'p', gen_random_uuid(), 'completed', 'text', '{}', '[]', now(), now());
    ${connection('k1', 'a')} ${connection('k2', 'a')} ${connection('k3', 'b')}
    ${channel('later', 'k2', { platformPostId: "'1'", minutesAgo: 1 })}
    ${channel('first', 'k1', { platformPostId: "'1'", minutesAgo: 2 })}
    ${channel('other account', 'k3', { platformPostId: "'1'" })}
    ${channel('no id', 'k1', {})}
    ${channel('no connection', 'gone', { platformPostId: "'2'" })}
    ${channel('not published', 'k1', { platformPostId: "'3'", state: 'failed' })}`)
    await migrate(urlOf('tower'))
    const { rows } = await client.query(
      'select account_id as account, platform_post_id as id, channel_id as channel, part from platform_post order by 1, 2',
    )
    expect(rows).toEqual([
      { account: 'a', id: '1', channel: 'first', part: 'post' },
      { account: 'b', id: '1', channel: 'other account', part: 'post' },
    ])
    const policies = await client.query(`select polname from pg_policy where polname = 'platform_post_existing'`)
    expect(policies.rows).toEqual([])
    await client.end()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  },
)
