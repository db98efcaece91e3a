import type { PostStatus, PostType } from '@carillon/contract'
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { containsText } from '../../../infra/db/contains-text.ts'
import type { Tables } from '../../../infra/db/tables.ts'
import { tallyPosts } from './post-tally.store.ts'
import { scheduledOrCreated } from './post-time.store.ts'
import { findPostViews, type PostView } from './post-view.store.ts'
import { channelFilter } from './channel-filter.store.ts'

export type PostFilter = {
  workspaceId: string
  statuses: PostStatus[] | null
  types: PostType[] | null
  platforms: string[] | null
  from: Date | null
  /** Exclusive. */
  to: Date | null
  /** Slugs or ids. */
  connections: string[] | null
  search: string | null
  archived: boolean | null
}

export async function listPosts(
  tx: Tx,
  filter: PostFilter,
  { limit, offset, cursor, sort }: { limit: number; offset: number; cursor: string | null; sort: PostSort },
): Promise<PostView[]> {
  const found = matching(tx, filter).limit(limit)
  if (sort === 'createdAt') {
    const posts = found.orderBy('id', 'desc')
    return findPostViews(tx, cursor ? posts.where('id', '<', cursor) : posts.offset(offset), sql`id desc`)
  }
  const posts = found.orderBy(scheduledOrCreated).orderBy('id')
  const page = cursor ? posts.where(isAfter(filter.workspaceId, cursor)) : posts.offset(offset)
  return findPostViews(tx, page, sql`${scheduledOrCreated}, id`)
}

export type PostSort = 'createdAt' | 'scheduledAt'

/** Posts that come after the post with this id by time. Nothing, if it no longer exists. */
function isAfter(workspaceId: string, id: string): RawBuilder<boolean> {
  return sql<boolean>`(${scheduledOrCreated}, post.id) > (
    select case when last.scheduled_at is null then last.created_at else last.scheduled_at end, last.id
    from post as last
    where last.workspace_id = ${workspaceId} and last.id = ${id}
  )`
}

/** Uses the tally table unless the filter has a date, a platform, a connection or a search text, which the tally does not hold. */
export async function countPosts(tx: Tx, filter: PostFilter): Promise<number> {
  if (!filter.platforms && !filter.connections && !filter.from && !filter.to && !filter.search) return tallyPosts(tx, filter)
  const { total } = await matching(tx, filter)
    .select(sql<string>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

function matching(tx: Tx, filter: PostFilter): SelectQueryBuilder<Tables, 'post', object> {
  let query = tx.selectFrom('post').where('workspace_id', '=', filter.workspaceId)
  if (filter.statuses) query = query.where('status', 'in', filter.statuses)
  if (filter.types) query = query.where('type', 'in', filter.types)
  if (filter.from) query = query.where(scheduledOrCreated, '>=', filter.from)
  if (filter.to) query = query.where(scheduledOrCreated, '<', filter.to)
  if (filter.archived !== null) query = query.where('archived_at', filter.archived ? 'is not' : 'is', null)
  if (filter.search) {
    query = query.where(sql<boolean>`(${containsText('text', filter.search)} or ${containsText('title', filter.search)})`)
  }
  const ofChannel = channelFilter(filter)
  return ofChannel ? query.where(ofChannel) : query
}
