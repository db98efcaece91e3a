import type { CalendarEntry, PostStatus } from '@carillon/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import { channelFilter, containsWords, hasLabel, publishedOrCreated, scheduledOrCreated } from './post-list.store.ts'

export type CalendarFilter = {
  workspaceId: string
  from: Date
  /** Exclusive. */
  to: Date
  statuses: PostStatus[] | null
  platforms: string[] | null
  /** Slugs or ids. */
  connections: string[] | null
  search: string | null
  /** Ids of labels, of which a post has one. */
  labels: string[] | null
}

type CalendarRow = Omit<CalendarEntry, 'labels' | 'seriesId' | 'occurrence'> & {
  labels: string[] | null
  seriesId: string | null
  occurrence: string | null
}

/** The entries of a range, ordered by time. */
export async function findCalendarEntries(tx: Tx, filter: CalendarFilter, limit: number): Promise<CalendarEntry[]> {
  const { rows } = await calendarQuery(filter, limit).execute(tx)
  return rows.map(({ labels, seriesId, occurrence, ...entry }) => ({
    ...entry,
    ...(labels && { labels }),
    ...(seriesId !== null && occurrence !== null && { seriesId, occurrence }),
  }))
}

/**
 * Posts with a scheduled time and posts without one have an index each, and either part reads no more than `limit` posts. Channels and
 * files are looked up only for the posts that remain.
 */
export function calendarQuery(filter: CalendarFilter, limit: number): RawBuilder<CalendarRow> {
  return sql<CalendarRow>`
    select
      p.id as "uploadId",
      ${isoText(sql`p.at`)} as at,
      p.timezone,
      p.status,
      p.type,
      left(coalesce(nullif(p.title, ''), p.text, ''), 80) as excerpt,
      c.connections,
      c.failed,
      c.unconfirmed,
      coalesce(p.approval, 'none') as approval,
      (
        select json_agg(l.label_id order by l.label_id)
        from post_label l
        where l.workspace_id = p.workspace_id and l.post_id = p.id
      ) as labels,
      s.series_id as "seriesId",
      s.date as occurrence,
      m.media_id as "mediaId",
      coalesce(m.has_picture, false) as "hasPicture",
      ${isoText(sql`p.updated_at`)} as "updatedAt"
    from (
      ${scheduledPosts(filter, limit)}
      union all
      ${otherPosts(filter, limit)}
      order by at, id
      limit ${limit}
    ) as p
    cross join lateral (
      select
        coalesce(json_agg(c.connection_id order by c.position), '[]') as connections,
        (count(*) filter (where c.state in ('failed', 'unconfirmed', 'doubted')))::int as failed,
        (count(*) filter (where c.state in ('unconfirmed', 'doubted')))::int as unconfirmed
      from channel c
      where c.workspace_id = p.workspace_id and c.post_id = p.id
    ) as c
    left join lateral (
      select m.media_id, f.thumbnail_key is not null as has_picture
      from post_media m
      join media f on f.workspace_id = m.workspace_id and f.id = m.media_id
      where m.workspace_id = p.workspace_id and m.post_id = p.id and p.type <> 'text'
      order by m.connection_slug, m.position
      limit 1
    ) as m on true
    left join series_date s on s.workspace_id = p.workspace_id and s.post_id = p.id
    order by p.at, p.id`
}

const columns = sql`post.workspace_id, post.id, post.timezone, post.status, post.type, post.title, post.text, post.approval, post.updated_at`

function scheduledPosts(filter: CalendarFilter, limit: number): RawBuilder<unknown> {
  const at = scheduledOrCreated
  return sql`(
    select ${columns}, ${at} as at
    from post
    where ${matches(filter, at)} and post.scheduled_at is not null
    order by ${at}, post.id
    limit ${limit}
  )`
}

function otherPosts(filter: CalendarFilter, limit: number): RawBuilder<unknown> {
  const at = publishedOrCreated
  return sql`(
    select ${columns}, ${at} as at
    from post
    where ${matches(filter, at)} and post.scheduled_at is null and post.status <> 'draft'
    order by ${at}, post.id
    limit ${limit}
  )`
}

function matches({ workspaceId, from, to, ...filter }: CalendarFilter, at: RawBuilder<unknown>): RawBuilder<unknown> {
  const conditions = [sql`post.workspace_id = ${workspaceId} and post.archived_at is null and ${at} >= ${from} and ${at} < ${to}`]
  if (filter.statuses) conditions.push(sql`post.status = any(${filter.statuses})`)
  if (filter.search) conditions.push(containsWords(filter.search))
  if (filter.labels) conditions.push(hasLabel(filter.labels, sql`post.workspace_id`, sql`post.id`))
  const ofChannel = channelFilter(filter)
  if (ofChannel) conditions.push(ofChannel)
  return sql.join(conditions, sql` and `)
}

/** Formatting a time in PostgreSQL is faster than parsing and formatting it in Node. */
function isoText(at: RawBuilder<unknown>): RawBuilder<string> {
  return sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
