import type { Attention, PostStatus, PostType } from '@carillon/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'

type TallyFilter = {
  workspaceId: string
  statuses: PostStatus[] | null
  types: PostType[] | null
  archived: boolean | null
  platforms: string[] | null
}

/** The number of posts by status, type, archive flag and platform, without reading the posts. Posts of unknown platforms are left out. */
export async function tallyPosts(tx: Tx, { workspaceId, statuses, types, archived, platforms }: TallyFilter): Promise<number> {
  let query = tx.selectFrom('post_tally').where('workspace_id', '=', workspaceId)
  if (statuses) query = query.where('status', 'in', statuses)
  if (types) query = query.where('type', 'in', types)
  if (archived !== null) query = query.where('archived', '=', archived)
  if (platforms) query = query.where(hasOneOf(platforms))
  const { total } = await query.select(sql<string>`coalesce(sum(posts), 0)`.as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/** The sets of platforms that posts of the workspace have, as `post.platforms` has them, if one of these platforms is in the set. */
export async function findPlatformSets(tx: Tx, workspaceId: string, platforms: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('post_tally')
    .where('workspace_id', '=', workspaceId)
    .where(hasOneOf(platforms))
    .where('platforms', 'is not', null)
    .groupBy('platforms')
    .select('platforms')
    .orderBy('platforms')
    .execute()
  return rows.flatMap((row) => row.platforms ?? [])
}

function hasOneOf(platforms: string[]): RawBuilder<boolean> {
  return sql<boolean>`string_to_array(post_tally.platforms, ',') && ${platforms}::text[]`
}

/**
 * Replaces the rows of each workspace that has rows after `sinceId` by their sums, and returns the newest id seen. Readers get the same sum
 * before and after.
 */
export async function compactTally(system: Db, sinceId: string): Promise<string> {
  return system.transaction().execute(async (tx) => {
    // Without this setting only rows without platforms can be deleted, because a worker of an earlier release adds them up differently.
    await sql`select set_config('carillon.tally', 'by platform', true)`.execute(tx)
    const { rows } = await compaction(sinceId).execute(tx)
    return rows[0]?.newest ?? sinceId
  })
}

function compaction(sinceId: string): RawBuilder<{ newest: string }> {
  return sql<{ newest: string }>`
    with busy as (
      select workspace_id, max(id) as newest
      from post_tally
      where id > ${sinceId}::bigint
      group by 1
      limit 500
    ),
    old as (
      delete from post_tally t
      using busy
      where t.workspace_id = busy.workspace_id and t.id <= busy.newest
      returning t.workspace_id, t.status, t.type, t.archived, t.platforms, t.posts
    ),
    added as (
      insert into post_tally (workspace_id, status, type, archived, platforms, posts)
      select workspace_id, status, type, archived, platforms, sum(posts)
      from old
      group by 1, 2, 3, 4, 5
      having sum(posts) <> 0
      returning id
    )
    select greatest(
      coalesce((select max(id) from added), 0),
      coalesce((select max(newest) from busy), 0),
      ${sinceId}::bigint
    )::text as newest`
}

type Troubles = Pick<Attention, 'failed' | 'unconfirmed' | 'late' | 'posts'>

type Row = Record<'failed' | 'unconfirmed' | 'late' | 'failedPosts' | 'unconfirmedPosts' | 'latePosts', number>

/** Each number stops at `max` channels, so that a workspace with many failed posts does not slow down every page. */
export async function countTroubles(tx: Tx, workspaceId: string, max: number): Promise<Troubles> {
  // The posts of a thread count with their channel, first comments do not.
  const withOutcome = (outcome: string) => sql`
    from part c
    join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
    where c.workspace_id = ${workspaceId} and c.outcome = ${sql.lit(outcome)} and c.number <= c.thread_parts
      and p.archived_at is null`
  // What nobody has dealt with in this time is not news any more. The list of posts still shows it.
  const recentWithOutcome = (outcome: string) => sql`(
    select c.post_id
    ${withOutcome(outcome)} and c.finished_at > now() - interval '30 days'
    limit ${max}
  )`
  const late = sql`
    select c.post_id
    from part c
    where c.workspace_id = ${workspaceId} and c.waiting_reason is not null and c.number <= c.thread_parts and c.due_at < now() - interval '1 minute'
    limit ${max}`
  const { rows } = await sql<Row>`
    with
      late as materialized (${late}),
      unconfirmed as materialized (${recentWithOutcome('unconfirmed')})
    select
      (select count(*)::int from (select ${withOutcome('failed')} limit ${max}) as found) as failed,
      (select count(*)::int from (select ${withOutcome('unconfirmed')} limit ${max}) as found) as unconfirmed,
      (select count(*)::int from late) as late,
      (
        select count(*)::int
        from (${recentWithOutcome('failed')} except select post_id from unconfirmed) as found
      ) as "failedPosts",
      (select count(distinct post_id)::int from unconfirmed) as "unconfirmedPosts",
      (select count(distinct post_id)::int from late) as "latePosts"`.execute(tx)
  const row = rows[0]
  if (!row) throw new Error('counting returned no row')
  const { failedPosts, unconfirmedPosts, latePosts, ...channels } = row
  return { ...channels, posts: { failed: failedPosts, unconfirmed: unconfirmedPosts, late: latePosts } }
}
