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

/** A database of the version before a migration. The owner of the tables is no superuser, as operators should have it. */
async function openBefore(migration: string) {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-existing-'))
  const postgres = await startPostgres({ dir, fsync: false })
  const superuser = new pg.Client({ connectionString: postgres.url })
  await superuser.connect()
  await superuser.query('create role tower login createrole')
  await superuser.query('create database carillon owner tower')
  await superuser.end()
  const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${postgres.port}/carillon`
  const before = (await listMigrations()).filter((name) => name < migration)
  await migrate(urlOf('tower'), undefined, before)
  const client = new pg.Client({ connectionString: urlOf('postgres') })
  await client.connect()
  await client.query(`
    insert into workspace (id, name, slug, plan, timezone, created_at, updated_at) values ('w', 'W', 'w', 'free', 'UTC', now(), now());
    insert into post (workspace_id, id, request_id, status, type, platform_options, warnings, created_at, updated_at)
    values ('w', 'p', gen_random_uuid(), 'completed', 'text', '{}', '[]', now(), now());`)
  return {
    client,
    upgrade: () => migrate(urlOf('tower')),
    async close() {
      await client.end()
      await postgres.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Guarantee: posts that were published before the upgrade keep their ids. */
test(
  'an upgrade adds what is published already; of two channels with one id the first has it',
  { timeout: 120_000 },
  async () => {
    const { client, upgrade, close } = await openBefore('035')
    await client.query(`
    ${connection('k1', 'a')} ${connection('k2', 'a')} ${connection('k3', 'b')}
    ${channel('later', 'k2', { platformPostId: "'1'", minutesAgo: 1 })}
    ${channel('first', 'k1', { platformPostId: "'1'", minutesAgo: 2 })}
    ${channel('other account', 'k3', { platformPostId: "'1'" })}
    ${channel('no id', 'k1', {})}
    ${channel('no connection', 'gone', { platformPostId: "'2'" })}
    ${channel('not published', 'k1', { platformPostId: "'3'", state: 'failed' })}`)
    await upgrade()
    const { rows } = await client.query(
      'select account_id as account, platform_post_id as id, channel_id as channel from platform_post order by 1, 2',
    )
    expect(rows).toEqual([
      { account: 'a', id: '1', channel: 'first' },
      { account: 'b', id: '1', channel: 'other account' },
    ])
    const policies = await client.query(`select polname from pg_policy where polname = 'platform_post_existing'`)
    expect(policies.rows).toEqual([])
    await close()
  },
)

/** Guarantee: an upgrade loses no first comment, and sends none twice. */
test(
  'an upgrade makes parts of the first comments that wait, and asks about those without an answer',
  { timeout: 120_000 },
  async () => {
    const { client, upgrade, close } = await openBefore('055')
    const states = ['none', 'waiting', 'submitting', 'done', 'failed']
    for (const state of states)
      await client.query(`
      ${channel(state, 'k1', { platformPostId: `'${state}'` })}
      update channel set comment_state = '${state}', comment_submitted_at = now(), comment_tries = 1 where id = '${state}'`)
    await client.query(
      `${channel('not yet', 'k1', { state: 'scheduled' })} update channel set comment_state = 'waiting' where id = 'not yet'`,
    )
    await upgrade()
    const { rows } = await client.query(
      `select channel_id as channel, reply_to as "replyTo", state, wake_at is not null as due, recover_at is not null as asked
     from part where number = 1 order by 1`,
    )
    const part = { due: false, asked: false }
    expect(rows).toEqual([
      { ...part, channel: 'done', replyTo: 'done', state: 'published' },
      { ...part, channel: 'failed', replyTo: 'failed', state: 'failed' },
      { ...part, channel: 'submitting', replyTo: 'submitting', state: 'submitting', asked: true },
      { ...part, channel: 'waiting', replyTo: 'waiting', state: 'scheduled', due: true },
    ])
    const { rows: parts } = await client.query('select id, parts from channel order by 1')
    expect(parts.map(({ id, parts: number }) => [id, number])).toEqual([
      ['done', 2],
      ['failed', 2],
      ['none', 1],
      ['not yet', 2],
      ['submitting', 2],
      ['waiting', 2],
    ])
    await close()
  },
)

/** Guarantee: while processes of the release before run beside this one, each first comment is sent by one of them. */
test('what one release writes about first comments, the other knows', { timeout: 120_000 }, async () => {
  const { client, upgrade, close } = await openBefore('055')
  await upgrade()
  const seen = async () =>
    (await client.query('select id, parts, comment_state from channel order by 1')).rows.map((row) => [
      row.id,
      row.parts,
      row.comment_state,
    ])
  const change = (id: string, values: string) => client.query(`update channel set ${values} where id = '${id}'`)
  for (const id of ['new', 'old', 'plain']) await client.query(channel(id, 'k1', { platformPostId: `'${id}'` }))
  await change('new', 'parts = 2')
  await change('old', `comment_state = 'waiting'`)
  expect(await seen()).toEqual([
    ['new', 2, 'waiting'],
    ['old', 2, 'waiting'],
    ['plain', 1, 'none'],
  ])
  // This release publishes one of them, and the release before the other.
  await client.query(`
    insert into part (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage, warnings,
      number, parts, channel_id, reply_to)
    values ('w', 'comment', 'p', 0, 'k1', 's', 'n', 'x', 'scheduled', false, '[]', 1, 2, 'old', 'old')`)
  await change('new', `comment_state = 'done'`)
  expect(await seen()).toEqual([
    ['new', 2, 'done'],
    ['old', 2, 'none'],
    ['plain', 1, 'none'],
  ])
  for (const id of ['new', 'old']) await change(id, 'parts = 1')
  expect((await seen()).map(([, parts]) => parts)).toEqual([1, 1, 1])
  await close()
})
