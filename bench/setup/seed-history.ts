import pg from 'pg'
import type { ConnectedAccount } from './connect-accounts.ts'

type History = { workspaceId: string; targets: readonly ConnectedAccount[]; from: number; count: number }

const rowsPerStatement = 100_000
/** From this many posts on, building the indexes afterwards is faster than keeping them up to date. */
const withoutIndexesFrom = 200_000

/**
 * Inserts the posts of a busy workspace: one every half minute up to now, with three channels each on changing connections. Most are
 * published, some failed on one or all channels, some are scheduled, some are drafts. PostgreSQL generates the rows itself, with the words
 * for searching. Triggers and foreign keys are off: `vacuumHistory` counts the posts afterwards.
 */
export async function seedHistory(db: pg.Pool, histories: readonly History[]): Promise<void> {
  const client = await db.connect()
  try {
    await client.query(`set session_replication_role = replica; set synchronous_commit = off`)
    const isLarge = histories.reduce((sum, { count }) => sum + count, 0) >= withoutIndexesFrom
    const indexes = isLarge ? await dropIndexes(client) : []
    for (const history of histories) await insertHistory(client, history)
    await buildIndexes(client, indexes)
    await client.query('reset all')
  } finally {
    client.release()
  }
}

async function insertHistory(client: pg.PoolClient, { workspaceId, targets, from, count }: History): Promise<void> {
  // The oldest first, so that the ids grow.
  for (let end = from + count; end > from; end -= rowsPerStatement) {
    await client.query(seedSql, [
      workspaceId,
      Math.max(from, end - rowsPerStatement),
      end - 1,
      targets.map(({ id }) => id),
      targets.map(({ slug }) => slug),
      targets.map(({ account }) => account.handle),
      targets.map(({ account }) => account.platform),
    ])
  }
}

/** Drops all indexes of the seeded tables but the primary keys, and returns the statements that create them. */
async function dropIndexes(client: pg.PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i
     where i.indrelid in ('post'::regclass, 'part'::regclass, 'post_search'::regclass) and not i.indisprimary`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

async function buildIndexes(client: pg.PoolClient, definitions: readonly string[]): Promise<void> {
  await client.query(`set maintenance_work_mem = '1GB'`)
  for (const definition of definitions) await client.query(definition)
}

/** Counts the posts as the triggers would, and updates the planner's statistics as autovacuum does, before the measurement. */
export async function vacuumHistory(db: pg.Pool): Promise<void> {
  await db.query(`with old as (delete from post_tally)
    insert into post_tally (workspace_id, status, type, archived, platforms, posts)
    select workspace_id, status, type, archived_at is not null, platforms, count(*) from post group by 1, 2, 3, 4, 5`)
  await db.query('vacuum analyze post, part, post_search, post_unsearched, post_tally')
  await db.query('checkpoint')
}

const sentence =
  'The bells ring on the hour, on the half and on the quarter, and the people in the square look up for a moment before going on.'
const error = JSON.stringify({
  code: 'platform_rejected',
  message: 'The platform refused the post.',
  action: 'fix_request',
  retryable: false,
  platformCode: '403',
})

// An older post has a higher n, so posts that are added later are older than those that exist. "campanile" is in twenty posts, however many
// there are; "carillonneur" in one of 5,000; "bells" in all.
const seedSql = `
  with numbered as (
    select n, now() - n * interval '30 seconds' as at,
      case when n % 100 < 80 then 'completed' when n % 100 < 85 then 'partial_failure' when n % 100 < 88 then 'failed'
        when n % 100 < 97 then 'scheduled' else 'draft' end as status,
      case when n < 10000 and n % 500 = 33 then 'campanile ' when n % 5000 = 77 then 'carillonneur ' else '' end || n || ': ${sentence}' as text
    from generate_series($2::int, $3::int) as n
    order by n desc),
  target as (
    select * from unnest($4::text[], $5::text[], $6::text[], $7::text[]) with ordinality as t (id, slug, name, platform, at)),
  turn as (
    select first.at - 1 as remainder, string_agg(distinct t.platform, ',' order by t.platform) as platforms
    from target first join target t on (t.at - first.at + cardinality($4::text[])) % cardinality($4::text[]) < 3
    group by 1),
  made as (
    insert into post (workspace_id, id, request_id, status, type, text, platform_options, scheduled_at, published_at, warnings,
      created_at, updated_at, platforms)
    select $1, lpad(to_hex(extract(epoch from at)::bigint), 8, '0') || lpad(to_hex(n), 16, '0'), gen_random_uuid(), status, 'text', text,
      '{}', case when status = 'scheduled' then now() + interval '1 day' + n * interval '31 seconds' end,
      case when status in ('completed', 'partial_failure') then at end, '[]', at, at, platforms
    from numbered join turn on remainder = n % cardinality($4::text[])
    returning workspace_id, id, status, scheduled_at, created_at as at, text),
  searchable as (
    insert into post_search (workspace_id, post_id, words) select workspace_id, id, fold_case(text) from made),
  spread as (
    select made.*, position, ('x' || right(id, 8))::bit(32)::int as n,
      case when status in ('scheduled', 'draft') then status
        when status = 'failed' or (status = 'partial_failure' and position = 0) then 'failed'
        else 'published' end as state
    from made cross join generate_series(0, 2) as position)
  insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, due_at,
    dispatch_at, needs_stage, armed_at, submitted_at, attempts, tries, post_url, platform_post_id, published_at, finished_at, late_ms, error, warnings)
  select workspace_id, left(spread.id, 8) || 'c4a1' || lpad(to_hex(n * 3 + position), 12, '0'), spread.id, position, target.id, slug,
    name, platform, state, coalesce(scheduled_at, spread.at), coalesce(scheduled_at, spread.at), false,
    case when state in ('published', 'failed') then spread.at end, case when state in ('published', 'failed') then spread.at end,
    case when state in ('published', 'failed') then 1 else 0 end, case when state in ('published', 'failed') then 1 else 0 end,
    case when state = 'published' then 'https://' || platform || '.example/' || slug || '/posts/' || spread.id end,
    case when state = 'published' then spread.id end, case when state = 'published' then spread.at end,
    case when state in ('published', 'failed') then spread.at end, case when state = 'published' then n % 900 end,
    case when state = 'failed' then '${error}'::jsonb end, '[]'
  from spread join target on target.at = 1 + (n + position) % cardinality($4::text[])`
