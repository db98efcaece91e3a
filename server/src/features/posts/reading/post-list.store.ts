import type { PostStatus, PostType } from '@carillon/contract'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { containsText } from '../../../infra/db/contains-text.ts'
import type { Tables } from '../../../infra/db/tables.ts'
import { tallyPosts } from './post-tally.store.ts'
import { findPostViews, type PostView } from './post-view.store.ts'

export type PostFilter = {
  workspaceId: string
  statuses: PostStatus[] | null
  types: PostType[] | null
  platforms: string[] | null
  from: Date | null
  /** Exclusive. */
  to: Date | null
  search: string | null
  archived: boolean | null
}

export async function listPosts(
  tx: Tx,
  filter: PostFilter,
  page: { limit: number; offset: number; cursor: string | null },
): Promise<PostView[]> {
  const posts = matching(tx, filter).orderBy('id', 'desc').limit(page.limit)
  return findPostViews(tx, page.cursor ? posts.where('id', '<', page.cursor) : posts.offset(page.offset))
}

/** Uses the tally table unless the filter has a date, a platform or a search text, which the tally does not hold. */
export async function countPosts(tx: Tx, filter: PostFilter): Promise<number> {
  if (!filter.platforms && !filter.from && !filter.to && !filter.search) return tallyPosts(tx, filter)
  const { total } = await matching(tx, filter)
    .select(sql<string>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function matching(tx: Tx, filter: PostFilter): SelectQueryBuilder<Tables, 'post', object> {
  const day = sql<Date>`coalesce(scheduled_at, created_at)`
  let query = tx.selectFrom('post').where('workspace_id', '=', filter.workspaceId)
  if (filter.statuses) query = query.where('status', 'in', filter.statuses)
  if (filter.types) query = query.where('type', 'in', filter.types)
  if (filter.from) query = query.where(day, '>=', filter.from)
  if (filter.to) query = query.where(day, '<', filter.to)
  if (filter.archived !== null) query = query.where('archived_at', filter.archived ? 'is not' : 'is', null)
  if (filter.search) {
    query = query.where(sql<boolean>`(${containsText('text', filter.search)} or ${containsText('title', filter.search)})`)
  }
  const { platforms } = filter
  if (platforms) {
    query = query.where((where) =>
      where.exists(
        where
          .selectFrom('channel')
          .whereRef('channel.workspace_id', '=', 'post.workspace_id')
          .whereRef('channel.post_id', '=', 'post.id')
          .where('channel.platform', 'in', platforms)
          .select(sql`1`.as('one')),
      ),
    )
  }
  return query
}
