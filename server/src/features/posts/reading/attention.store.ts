import type { Attention } from '@carillon/contract'
import { sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'

export type Troubles = Pick<Attention, 'failed' | 'unconfirmed' | 'late' | 'posts'>

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
