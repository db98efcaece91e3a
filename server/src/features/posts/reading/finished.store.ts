import type { ChannelError } from '@carillon/contract'
import type { ChannelState } from '@carillon/core'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import { hasLabel } from './post-list.store.ts'

/** Channels of a workspace that finished at or after `from` and before `before`. */
export type FinishedFilter = {
  workspaceId: string
  from: Date
  before: Date
  platforms: readonly string[] | null
  /** Ids of labels, of which the post has one. */
  labels: readonly string[] | null
}

export type FinishedDay = { day: string; succeeded: number; failed: number }

/** A condition on `channel c`. */
export const matchesFinished = ({ workspaceId, from, before, platforms, labels }: FinishedFilter) => sql`
  c.workspace_id = ${workspaceId}
  and c.finished_at >= ${from}
  and c.finished_at < ${before}
  and c.outcome is not null
  and (${platforms}::text[] is null or c.platform = any(${platforms}::text[]))
  ${labels ? sql`and ${hasLabel(labels, sql`c.workspace_id`, sql`c.post_id`)}` : sql``}`

/** An index-only scan. Days without finished channels are left out. */
export async function countFinished(tx: Tx, filter: FinishedFilter): Promise<FinishedDay[]> {
  const { rows } = await sql<Omit<FinishedDay, 'day'> & { at: Date }>`
    select
      date_bin('1 day', c.finished_at, 'epoch') as at,
      (count(*) filter (where c.outcome = 'published'))::int as succeeded,
      (count(*) filter (where c.outcome <> 'published'))::int as failed
    from channel c
    where ${matchesFinished(filter)}
    group by 1
    order by 1`.execute(tx)
  return rows.map(({ at, succeeded, failed }) => ({ day: at.toISOString().slice(0, 10), succeeded, failed }))
}

export type FinishedChannel = {
  id: string
  postId: string
  title: string | null
  platform: string
  connection: string
  targetName: string
  state: ChannelState
  finishedAt: Date
  /** The same time in microseconds, which a Date cannot hold: the cursor of the next page. */
  cursorAt: string
  postUrl: string | null
  error: ChannelError | null
}

export type FinishedCursor = Pick<FinishedChannel, 'cursorAt' | 'id'>

/** The next channels in the order in which they finished. */
export async function listFinished(
  tx: Tx,
  filter: FinishedFilter,
  { after, limit }: { after: FinishedCursor | null; limit: number },
): Promise<FinishedChannel[]> {
  const afterCursor = after ? sql`and (c.finished_at, c.id) > (${after.cursorAt}::timestamptz, ${after.id})` : sql``
  const { rows } = await sql<FinishedChannel>`
    select
      c.id,
      c.post_id as "postId",
      p.title,
      c.platform,
      c.connection_slug as connection,
      c.target_name as "targetName",
      c.state,
      c.finished_at as "finishedAt",
      c.finished_at::text as "cursorAt",
      c.post_url as "postUrl",
      c.error
    from channel c
    join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
    where ${matchesFinished(filter)}
      ${afterCursor}
    order by c.finished_at, c.id
    limit ${limit}`.execute(tx)
  return rows
}

export type PublishedChannel = { id: string; platformPostId: string; publishedAt: Date }

/** The channels that a connection has published since `since` and whose platform id is known, newest first. */
export async function listPublished(
  tx: Tx,
  connection: { workspaceId: string; id: string },
  { since, limit }: { since: Date; limit: number },
): Promise<PublishedChannel[]> {
  const { rows } = await sql<PublishedChannel>`
    select id, platform_post_id as "platformPostId", published_at as "publishedAt"
    from channel
    where workspace_id = ${connection.workspaceId}
      and connection_id = ${connection.id}
      and outcome = 'published'
      and platform_post_id is not null
      and published_at >= ${since}
    order by published_at desc
    limit ${limit}`.execute(tx)
  return rows
}

/** The connections that have published something. A recursive query steps through the index, so the number of posts does not matter. */
export async function listPublishers(tx: Tx, workspaceId: string): Promise<{ connectionId: string; platform: string }[]> {
  const next = (after: ReturnType<typeof sql>) => sql`
    select connection_id, platform
    from channel
    where workspace_id = ${workspaceId}
      and outcome = 'published'
      and platform_post_id is not null
      and connection_id > ${after}
    order by connection_id
    limit 1`
  const { rows } = await sql<{ connectionId: string; platform: string }>`
    with recursive publisher as (
      (${next(sql`''`)})
      union all
      select n.connection_id, n.platform
      from publisher p, lateral (${next(sql`p.connection_id`)}) as n
    )
    select connection_id as "connectionId", platform
    from publisher`.execute(tx)
  return rows
}

export type Publication = { workspaceId: string; connectionId: string; platform: string }

/**
 * The connections of these channels, across workspaces, each once and in a fixed order. Channels without a published post are left out
 * here and not in the statement: a condition on the state would make the planner choose an index of all published channels.
 */
export async function findPublications(
  tx: Db | Tx,
  channels: readonly { workspaceId: string; channelId: string }[],
): Promise<Publication[]> {
  const { rows } = await sql<Publication & { isPublished: boolean }>`
    select
      c.workspace_id as "workspaceId",
      c.connection_id as "connectionId",
      c.platform,
      c.state = 'published' and c.platform_post_id is not null as "isPublished"
    from channel c
    join unnest(${channels.map((c) => c.workspaceId)}::text[], ${channels.map((c) => c.channelId)}::text[]) as t (workspace_id, id)
      on c.workspace_id = t.workspace_id and c.id = t.id
    order by 1, 2`.execute(tx)
  const published = rows.filter(({ isPublished }) => isPublished)
  return published.filter(({ connectionId }, index) => connectionId !== published[index - 1]?.connectionId)
}
