import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Post } from '@carillon/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '../../../infra/db/db.ts'
import { addConnections } from '../../connections/add-connections.ts'
import { PostApi } from '../post-api.fixture.ts'
import { fillPostIndexes } from './fill-post-indexes.ts'
import { type PostFilter, countPosts, listPosts, searchPosts } from './post-list.store.ts'
import { compactTally } from './post-tally.store.ts'

type Page = { data: Post[]; meta: { total: number; nextCursor: string | null } }

let api: PostApi
let dir: string
let bluesky: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-large-lists-'))
  api = await PostApi.start(dir)
}, 60_000)

beforeEach(async () => {
  await api.openWorkspace()
  const [added] = await addConnections(api.ctx, api.workspaceId, [
    {
      platform: 'bluesky',
      handle: 'third',
      accountId: 'did:plc:3',
      instanceUrl: 'https://bsky.example',
      credentials: { accessToken: 't' },
    },
  ])
  bluesky = added?.slug ?? ''
})

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function list(query: string): Promise<{ ids: string[]; total: number; cursor: string | null }> {
  const { status, data } = await api.send<Page>('GET', `/content?${query}`)
  expect(status).toBe(200)
  return { ids: data.data.map(({ uploadId }) => uploadId), total: data.meta.total, cursor: data.meta.nextCursor }
}

const fill = () => fillPostIndexes(api.ctx)
const found = (ids: string[]) => expect.objectContaining({ ids, total: ids.length })

describe('a list by platform', () => {
  test('has the newest posts first, each once, with their number, also page by page', async () => {
    const onFirst = await api.create()
    const onBoth = await api.create({ connections: [api.first, bluesky] })
    const onBluesky = await api.create({ connections: [bluesky] })
    const onTwo = await api.create({ connections: [api.first, api.second] })
    const none = await api.create({ connections: [], saveDraft: true })
    expect(await list('platform=mastodon')).toEqual(found([onTwo, onBoth, onFirst]))
    expect(await list('platform=bluesky')).toEqual(found([onBluesky, onBoth]))
    expect(await list('platform=bluesky,mastodon')).toEqual(found([onTwo, onBluesky, onBoth, onFirst]))
    expect(await list('platform=x')).toEqual(found([]))
    expect((await list('')).ids).toContain(none)
    const first = await list('platform=mastodon&limit=2')
    expect(first).toMatchObject({ ids: [onTwo, onBoth], total: 3 })
    expect((await list(`platform=mastodon&limit=2&cursor=${first.cursor}`)).ids).toEqual([onFirst])
    expect((await list('platform=mastodon&limit=2&page=2')).ids).toEqual([onFirst])
  })

  test('follows the status, the archive and the channels of a post', async () => {
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
    const post = await api.create({ scheduledAt })
    const draft = await api.create({ saveDraft: true })
    expect(await list('platform=mastodon&status=draft')).toEqual(found([draft]))
    await api.send('PATCH', `/content/${post}/archive`)
    expect(await list('platform=mastodon')).toEqual(found([draft]))
    expect(await list('platform=mastodon&archived=any')).toEqual(found([draft, post]))
    await api.send('PATCH', `/content/${draft}`, { connections: [bluesky] })
    expect(await list('platform=mastodon')).toEqual(found([]))
    expect(await list('platform=bluesky')).toEqual(found([draft]))
    await api.send('DELETE', `/content/${draft}`)
    expect(await list('platform=bluesky')).toEqual(found([]))
  })

  test('has posts of the release before, which stores no platforms, before and after workers have added them', async () => {
    const old = await api.create({ connections: [api.first, bluesky] })
    await api.setPost(old, { platforms: null })
    const post = await api.create()
    const changed = await api.create({ saveDraft: true })
    // The release before replaces the channels of a draft without changing its platforms; here it removes them.
    await sql`delete from channel where post_id = ${changed}`.execute(api.ctx.db.system)
    expect(await list('platform=mastodon')).toEqual(found([post, old]))
    expect(await list('platform=bluesky')).toEqual(found([old]))
    await fill()
    const { rows } = await sql<{ id: string; platforms: string }>`
      select id, platforms from post where workspace_id = ${api.workspaceId} order by id`.execute(api.ctx.db.system)
    expect(rows).toEqual([
      { id: old, platforms: 'bluesky,mastodon' },
      { id: post, platforms: 'mastodon' },
      { id: changed, platforms: '' },
    ])
    expect(await list('platform=mastodon')).toEqual(found([post, old]))
  })

  test('guarantee: adding up the tally keeps the platforms, also while a worker of the release before does it', async () => {
    const posts = [await api.create(), await api.create({ connections: [bluesky] }), await api.create()]
    // What that worker runs: it knows no platforms.
    await sql`
      with old as (delete from post_tally where workspace_id = ${api.workspaceId} returning *)
      insert into post_tally (workspace_id, status, type, archived, posts)
      select workspace_id, status, type, archived, sum(posts) from old group by 1, 2, 3, 4`.execute(api.ctx.db.system)
    await compactTally(api.ctx.db.system, '0')
    expect(await list('platform=mastodon')).toEqual(found([posts[2] ?? '', posts[0] ?? '']))
    expect((await list('')).total).toBe(3)
    const { rows } = await sql`select from post_tally where workspace_id = ${api.workspaceId}`.execute(api.ctx.db.system)
    expect(rows).toHaveLength(2)
  })
})

describe('a search', () => {
  test('finds a part of the text or the title, whatever the case, before and after the post is in the index', async () => {
    const text = await api.create({ text: 'GLOCKENSPIEL über der Straße' })
    const title = await api.create({ title: 'The Glockenspiel', text: 'Nothing else' })
    await api.create({ text: 'glocke' })
    for (const isIndexed of [false, true]) {
      if (isIndexed) while (await fill());
      expect(await list('search=glockensp')).toEqual(found([title, text]))
      expect(await list(`search=${encodeURIComponent('ÜBER')}`)).toEqual(found([text]))
      expect(await list('search=s')).toEqual(found([title, text]))
      expect(await list(`search=${encodeURIComponent('%')}`)).toEqual(found([]))
      expect(await list('search=glockensp&limit=1&page=2')).toMatchObject({ ids: [text], total: 2 })
      expect(await list('search=glockensp&status=draft')).toEqual(found([]))
    }
    const { rows } = await sql`select from post_unsearched`.execute(api.ctx.db.system)
    expect(rows).toEqual([])
  })

  test('finds the text of a draft as it is now', async () => {
    const draft = await api.create({ saveDraft: true, text: 'a campanile' })
    await fill()
    await api.send('PATCH', `/content/${draft}`, { text: 'a belfry' })
    for (const isIndexed of [false, true]) {
      if (isIndexed) await fill()
      expect(await list('search=campanile')).toEqual(found([]))
      expect(await list('search=belfry')).toEqual(found([draft]))
    }
    await api.send('DELETE', `/content/${draft}`)
    expect(await list('search=belfry')).toEqual(found([]))
  })

  test('guarantee: finds nothing of another workspace', async () => {
    await api.create({ text: 'a secret carillon' })
    await fill()
    await api.openWorkspace()
    expect(await list('search=secret')).toEqual(found([]))
    const ids = await api.ctx.db.readOnly(api.workspaceId, (tx) => sql`select search_posts('%secret%', 10)`.execute(tx))
    expect(ids.rows).toEqual([])
    await expect(api.ctx.db.readOnly(api.workspaceId, (tx) => sql`select from post_search`.execute(tx))).rejects.toThrow(
      'permission denied',
    )
  })
})

const [common, rare] = ['c'.repeat(24), 'd'.repeat(24)]

/** Inserts posts on two platforms as the API would; a few contain a rare word, and a few are on a rare platform. */
async function insertPosts(count: number): Promise<void> {
  const owner = new pg.Client({ connectionString: api.database.url })
  await owner.connect()
  await owner.query(
    `with added as (
      insert into post (workspace_id, id, request_id, status, type, text, platform_options, warnings, created_at, updated_at, platforms)
      select $1, lpad(to_hex(n), 24, '0'), gen_random_uuid(), 'completed', 'text',
        'The bells ring, number ' || n || case when n % 2000 = 7 then ' campanile' else '' end, '{}', '[]', now(), now(),
        case when n % 2000 = 9 then 'bluesky,mastodon' else 'mastodon' end
      from generate_series(1, $2::int) as n
      returning workspace_id, id, platforms)
    insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage, warnings)
    select workspace_id, left(id, 20) || lpad(at::text, 4, '0'), id, at, repeat('a', 24), 'mastodon-first', 'First', platform, 'published', false, '[]'
    from added, unnest(string_to_array(platforms, ',')) with ordinality as each (platform, at)
    on conflict do nothing`,
    [api.workspaceId, count],
  )
  // As in a database that has been in use: without statistics, PostgreSQL reads whole tables for each batch.
  // Each of them has the common label, and a few the rare one.
  await owner.query(
    `insert into label (workspace_id, id, name, color, kind, created_at, updated_at)
    select $1, label, label, 'red', 'label', now(), now()
    from unnest($2::text[]) as label`,
    [api.workspaceId, [common, rare]],
  )
  await owner.query(
    `insert into post_label (workspace_id, label_id, post_id)
    select $1, label, lpad(to_hex(n), 24, '0')
    from generate_series(1, $2::int) as n, unnest($3::text[]) as label
    where label = $4 or n % 2000 = 11`,
    [api.workspaceId, count, [common, rare], common],
  )
  await owner.query('analyze post, part, post_search, post_unsearched, post_label')
  await owner.end()
  while (await fill());
  const again = new pg.Client({ connectionString: api.database.url })
  await again.connect()
  await again.query('vacuum analyze post, part, post_search, post_unsearched, post_tally, post_label')
  await again.end()
}

const everything = {
  statuses: null,
  types: null,
  platforms: null,
  from: null,
  to: null,
  connections: null,
  search: null,
  externalId: null,
  ids: null,
  archived: false,
  approvals: null,
  labels: null,
} satisfies Omit<PostFilter, 'workspaceId'>
const firstTen = { limit: 10, offset: 0, cursor: null, sort: 'createdAt' } as const

/** Reads a page and its total, and counts the rows that PostgreSQL read for them. */
function readBy(change: Partial<PostFilter>): Promise<{ total: number; shown: number; rows: number }> {
  const { workspaceId } = api
  return api.ctx.db.readOnly(workspaceId, async (tx) => {
    const matches = change.search ? await searchPosts(tx, workspaceId, change.search) : null
    const filter = { ...everything, workspaceId, ...change, ids: matches && matches.ids }
    const shown = await listPosts(tx, filter, firstTen)
    const total = await countPosts(tx, filter)
    return { total, shown: shown.length, rows: await countRead(tx) }
  })
}

async function countRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_xact_user_tables
    where relname in ('post', 'channel', 'post_search', 'post_tally', 'post_label')`.execute(tx)
  return rows[0]?.rows ?? -1
}

/** Counts the rows that PostgreSQL read for a page without its total: of a label that many posts have, the total counts them. */
function readPageBy(change: Partial<PostFilter>): Promise<number> {
  return api.ctx.db.readOnly(api.workspaceId, async (tx) => {
    const shown = await listPosts(tx, { ...everything, workspaceId: api.workspaceId, ...change }, firstTen)
    expect(shown).toHaveLength(10)
    return countRead(tx)
  })
}

test('guarantee: in a workspace with many posts, a list by platform, words or a label and its total read little more than is shown', async () => {
  const posts = 20_000
  await insertPosts(posts)
  const seen = [
    await readBy({ platforms: ['mastodon'] }),
    await readBy({ platforms: ['bluesky'] }),
    await readBy({ search: 'campanile' }),
    await readBy({ labels: [rare] }),
    await readBy({ labels: [rare, 'e'.repeat(24)] }),
  ]
  expect(seen.map(({ total, shown }) => [total, shown])).toEqual([
    [posts, 10],
    [10, 10],
    [10, 10],
    [10, 10],
    [10, 10],
  ])
  for (const { rows } of seen) {
    expect(rows).toBeGreaterThanOrEqual(10)
    expect(rows).toBeLessThan(1000)
  }
  expect(await readPageBy({ labels: [common] })).toBeLessThan(1000)
}, 300_000)
