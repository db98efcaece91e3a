import type { PostStatus, PostType } from '@carillon/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'

type TallyFilter = { workspaceId: string; statuses: PostStatus[] | null; types: PostType[] | null; archived: boolean | null }

/** The number of posts by status, type and archive flag, without reading the posts. */
export async function tallyPosts(tx: Tx, { workspaceId, statuses, types, archived }: TallyFilter): Promise<number> {
  let query = tx.selectFrom('post_tally').where('workspace_id', '=', workspaceId)
  if (statuses) query = query.where('status', 'in', statuses)
  if (types) query = query.where('type', 'in', types)
  if (archived !== null) query = query.where('archived', '=', archived)
  const { total } = await query.select(sql<string>`coalesce(sum(posts), 0)`.as('total')).executeTakeFirstOrThrow()
  return Number(total)
}

/**
 * Replaces the rows of each workspace that has rows after `sinceId` by their sums, and returns the newest id seen. Readers get the same sum
 * before and after.
 */
export async function compactTally(system: Db, sinceId: string): Promise<string> {
  const { rows } = await sql<{ newest: string }>`
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
      returning t.workspace_id, t.status, t.type, t.archived, t.posts
    ),
    added as (
      insert into post_tally (workspace_id, status, type, archived, posts)
      select workspace_id, status, type, archived, sum(posts)
      from old
      group by 1, 2, 3, 4
      having sum(posts) <> 0
      returning id
    )
    select greatest(
      coalesce((select max(id) from added), 0),
      coalesce((select max(newest) from busy), 0),
      ${sinceId}::bigint
    )::text as newest`.execute(system)
  return rows[0]?.newest ?? sinceId
}
