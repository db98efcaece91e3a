import type { ApprovalState, PostStatus, PostType } from '@carillon/contract'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { containsText, likePattern } from '../../../infra/db/sql-parts.ts'
import type { Tx } from '../../../infra/db/db.ts'
import type { Tables } from '../../../infra/db/tables.ts'
import { findPlatformSets, tallyPosts } from './post-tally.store.ts'
import { type PostView, findPostViews, pageColumns } from './post-view.store.ts'

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
  externalId: string | null
  /** Only these posts, if it is not null. */
  ids: string[] | null
  archived: boolean | null
  approvals: ApprovalState[] | null
  /** Ids of labels, of which a post has one. */
  labels: string[] | null
  /** The id of a series. */
  series?: string | null
}

type PostSort = 'createdAt' | 'scheduledAt'
type PageRequest = { limit: number; offset: number; cursor: string | null; sort: PostSort }
type PostQuery = SelectQueryBuilder<Tables, 'post', object>

/** With more sets of platforms than this, planning the union takes longer than reading posts until enough of them match. */
const setsMax = 50

export async function listPosts(tx: Tx, filter: PostFilter, page: PageRequest): Promise<PostView[]> {
  if (isByPlatform(filter) && page.sort === 'createdAt') return listOfPlatforms(tx, filter, page)
  return listMatching(tx, matching(tx, filter), filter.workspaceId, page)
}

async function listMatching(tx: Tx, matched: PostQuery, workspaceId: string, page: PageRequest): Promise<PostView[]> {
  const { limit, offset, cursor, sort } = page
  const found = matched.select(pageColumns).limit(limit)
  if (sort === 'createdAt') {
    const posts = found.orderBy('id', 'desc')
    return findPostViews(tx, cursor ? posts.where('id', '<', cursor) : posts.offset(offset), sql`id desc`)
  }
  const posts = found.orderBy(scheduledOrCreated).orderBy('id')
  const rows = cursor ? posts.where(isAfter(workspaceId, cursor)) : posts.offset(offset)
  return findPostViews(tx, rows, sql`${scheduledOrCreated}, id`)
}

/**
 * The newest posts on some platforms. The index `post_of_platforms` has the posts of each set of platforms in their order; PostgreSQL merges
 * those of the sets that contain one of the platforms, and reads no other post. Each part has the order and the limit of the whole, without
 * which PostgreSQL would read and sort all posts of the set.
 */
async function listOfPlatforms(tx: Tx, filter: PostFilter, { limit, offset, cursor }: PageRequest): Promise<PostView[]> {
  const { workspaceId, platforms } = filter
  const sets = await findPlatformSets(tx, workspaceId, platforms ?? [])
  const page: PageRequest = { limit, offset, cursor, sort: 'createdAt' }
  if (sets.length > setsMax) return listMatching(tx, matching(tx, filter), workspaceId, page)
  const skipped = cursor ? 0 : offset
  const part = (query: PostQuery) => {
    const posts = cursor ? query.where('id', '<', cursor) : query
    return sql`${posts
      .select(pageColumns)
      .orderBy('id', 'desc')
      .limit(skipped + limit)}`
  }
  const ofSet = (set: string) => part(matching(tx, { ...filter, platforms: null }).where('platforms', '=', set))
  const parts = [part(matching(tx, filter).where('platforms', 'is', null)), ...sets.map(ofSet)]
  const merged = sql`(
    select *
    from (${sql.join(parts, sql` union all `)}) as part
    order by id desc
    limit ${limit}
    offset ${skipped}
  )`
  return findPostViews(tx, merged, sql`id desc`)
}

/** Posts that come after the post with this id by time. Nothing, if it no longer exists. */
function isAfter(workspaceId: string, id: string): RawBuilder<boolean> {
  return sql<boolean>`(${scheduledOrCreated}, post.id) > (
    select case when last.scheduled_at is null then last.created_at else last.scheduled_at end, last.id
    from post as last
    where last.workspace_id = ${workspaceId} and last.id = ${id}
  )`
}

/** Uses the tally table unless the filter has something that the tally does not hold. */
export async function countPosts(tx: Tx, filter: PostFilter): Promise<number> {
  if (isByPlatform(filter)) {
    const unknown = matching(tx, filter).where('platforms', 'is', null)
    const counts = await Promise.all([tallyPosts(tx, filter), countRows(tx, unknown)])
    return counts[0] + counts[1]
  }
  return isTallied(filter) ? tallyPosts(tx, filter) : countRows(tx, matching(tx, filter))
}

async function countRows(tx: Tx, query: PostQuery): Promise<number> {
  const { rows } = await sql<{ total: string }>`
    select count(*) as total
    from ${query.select(sql<number>`1`.as('found'))} as matching`.execute(tx)
  return Number(rows[0]?.total ?? 0)
}

/** Whether the sets of platforms in `post` and in the tally answer the filter. */
function isByPlatform(filter: PostFilter): boolean {
  return filter.platforms !== null && isTallied(filter)
}

/** The tally holds no dates, connections, texts, external ids, states of approval, labels and series. */
function isTallied({ connections, from, to, search, externalId, approvals, labels, series }: PostFilter): boolean {
  return !connections && !from && !to && !search && !externalId && !approvals && !labels && !series
}

function matching(tx: Tx, filter: PostFilter): PostQuery {
  let query: PostQuery = tx.selectFrom('post').where('workspace_id', '=', filter.workspaceId)
  if (filter.statuses) query = query.where('status', 'in', filter.statuses)
  if (filter.approvals) query = query.where(sql<string>`approval`, 'in', filter.approvals)
  if (filter.types) query = query.where('type', 'in', filter.types)
  if (filter.from) query = query.where(scheduledOrCreated, '>=', filter.from)
  if (filter.to) query = query.where(scheduledOrCreated, '<', filter.to)
  if (filter.archived !== null) query = query.where('archived_at', filter.archived ? 'is not' : 'is', null)
  if (filter.ids) query = query.where('id', '=', sql<string>`any(${filter.ids})`)
  if (filter.externalId) query = query.where('external_id', '=', filter.externalId)
  if (filter.labels) query = query.where(hasLabel(filter.labels, sql`post.workspace_id`, sql`post.id`))
  if (filter.series) query = query.where(isOfSeries(filter.series))
  if (filter.search) query = query.where(containsWords(filter.search))
  const ofChannel = channelFilter(filter)
  return ofChannel ? query.where(ofChannel) : query
}

/** `connections` are slugs or ids. */
type ChannelFilter = { platforms: string[] | null; connections: string[] | null }

/** A condition on `post`: one of its channels is on one of these platforms and connections. Null if there is nothing to filter by. */
export function channelFilter({ platforms, connections }: ChannelFilter): RawBuilder<boolean> | null {
  const conditions = []
  if (platforms) conditions.push(sql`c.platform = any(${platforms})`)
  if (connections) conditions.push(sql`(c.connection_slug = any(${connections}) or c.connection_id = any(${connections}))`)
  if (conditions.length === 0) return null
  return sql<boolean>`exists (
    select
    from channel c
    where c.workspace_id = post.workspace_id and c.post_id = post.id and ${sql.join(conditions, sql` and `)}
  )`
}

/** A condition: the post with this workspace and id has one of these labels. */
export function hasLabel(
  labels: readonly string[],
  workspaceId: RawBuilder<unknown>,
  postId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const [first] = labels
  // With one label the key proves that each post is found once, so PostgreSQL can read the posts of the label in their order.
  const isOne = labels.length === 1 ? sql`l.label_id = ${first}` : sql`l.label_id = any(${labels})`
  return sql<boolean>`exists (
    select
    from post_label l
    where l.workspace_id = ${workspaceId} and l.post_id = ${postId} and ${isOne}
  )`
}

function isOfSeries(series: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select
    from series_date s
    where s.workspace_id = post.workspace_id and s.post_id = post.id and s.series_id = ${series}
  )`
}

/** A search finds the newest posts up to this many. */
const foundMax = 10_000

/** The posts that may contain a text. `isCut`: there are more than these. */
type SearchMatches = { ids: string[]; isCut: boolean }

/**
 * Finds posts by the index of words. Posts that are not in the index yet are among the result whatever they contain; workers add them to the
 * index within seconds. So the result needs `containsWords` too.
 */
export async function searchPosts(tx: Tx, workspaceId: string, search: string): Promise<SearchMatches> {
  const { rows } = await sql<{ id: string }>`
    select search_posts(fold_case(${likePattern(search)}), ${foundMax + 1}::int) as id
    union all
    (
      select post_id
      from post_unsearched
      where workspace_id = ${workspaceId}
      limit ${foundMax + 1}
    )`.execute(tx)
  return { ids: rows.slice(0, foundMax).map(({ id }) => id), isCut: rows.length > foundMax }
}

/** A condition on `post`: its text or title contains this text. */
export function containsWords(search: string): RawBuilder<boolean> {
  return sql<boolean>`(${containsText('post.text', search)} or ${containsText('post.title', search)})`
}

// These expressions must be written as in the indexes of `post`. They are not COALESCE: with row-level security, PostgreSQL uses no index
// for a condition that contains it.

/** The scheduled time, or the creation time of a post without one; index `post_day`. */
export const scheduledOrCreated = sql<Date>`case when post.scheduled_at is null then post.created_at else post.scheduled_at end`

/** The time of publication, or the creation time of a post that was not published; index `post_unscheduled`. */
export const publishedOrCreated = sql<Date>`case when post.published_at is null then post.created_at else post.published_at end`
