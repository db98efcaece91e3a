import type { PostStatus, PostType } from '@carillon/contract'
import { sql, type RawBuilder } from 'kysely'
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
