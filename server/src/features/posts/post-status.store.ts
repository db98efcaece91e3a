import { type ChannelState, type ChannelTransition, channelTransitions } from '@carillon/core'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import { idArray } from '../../infra/db/sql-parts.ts'

export type PostRef = { workspaceId: string; postId: string }

/** For each post, the states of all its channels, the posts of a thread one by one, and the earliest time of publication. */
export async function findPostStates(
  tx: Tx,
  posts: readonly PostRef[],
): Promise<(PostRef & { states: ChannelState[]; publishedAt: Date | null })[]> {
  const { rows } = await sql<PostRef & { states: ChannelState[]; publishedAt: Date | null }>`
    select
      c.workspace_id as "workspaceId",
      c.post_id as "postId",
      array_agg(c.state) as states,
      min(c.published_at) as "publishedAt"
    from part c
    join unnest(
      ${idArray(posts, (p) => p.workspaceId)}::text[],
      ${idArray(posts, (p) => p.postId)}::text[]
    ) as t (workspace_id, post_id)
      on c.workspace_id = t.workspace_id and c.post_id = t.post_id
    where c.number <= c.thread_parts
    group by 1, 2`.execute(tx)
  return rows
}

export async function finishPosts(
  tx: Tx,
  posts: readonly (PostRef & { status: string; publishedAt: Date | null })[],
): Promise<void> {
  if (posts.length === 0) return
  await sql`
    update post p
    set status = t.status, published_at = t.published_at, updated_at = now()
    from unnest(
      ${idArray(posts, (p) => p.workspaceId)}::text[],
      ${idArray(posts, (p) => p.postId)}::text[],
      ${idArray(posts, (p) => p.status)}::text[],
      ${posts.map((p) => p.publishedAt)}::timestamptz[]
    ) as t (workspace_id, id, status, published_at)
    where p.workspace_id = t.workspace_id and p.id = t.id`.execute(tx)
}

/** The condition that a channel is in a state from which this transition may start. */
export function mayStart(transition: ChannelTransition, column = 'c.state'): RawBuilder<boolean> {
  const states = channelTransitions[transition].from.map((state) => `'${state}'`)
  return sql.raw(`${column} in (${states.join(', ')})`)
}

/** The state that this transition leads to, as an SQL literal. */
export function endOf(transition: ChannelTransition): RawBuilder<string> {
  return sql.raw(`'${channelTransitions[transition].to}'`)
}
