import type { PublishedFigures } from '@carillon/core'
import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'

type Range = { workspaceId: string; from: Date; before: Date; connectionId: string | null; settledMs: number; limit: number }

/**
 * What the newest channels of a range received, from figures that were collected at least `settledMs` after the publication. The index
 * `part_finished` gives the channels in this order, so the limit bounds what is read.
 */
export async function listPublishedFigures(
  tx: Tx,
  { workspaceId, from, before, connectionId, settledMs, limit }: Range,
): Promise<PublishedFigures[]> {
  const { rows } = await sql<PublishedFigures>`
    select
      c.post_id as "postId",
      c.connection_id as "connectionId",
      (extract(epoch from c.published_at) * 1000)::float8 as "atMs",
      case when num_nonnulls(m.likes, m.comments, m.shares, m.saves) > 0 then
        (coalesce(m.likes, 0) + coalesce(m.comments, 0) + coalesce(m.shares, 0) + coalesce(m.saves, 0))::float8
      end as engagement
    from (
      select id, post_id, connection_id, published_at
      from channel
      where workspace_id = ${workspaceId}
        and outcome = 'published'
        and finished_at >= ${from}
        and published_at >= ${from}
        and published_at < ${before}
        and (${connectionId}::text is null or connection_id = ${connectionId})
      order by finished_at desc, id desc
      limit ${limit}
    ) c
    left join channel_metric m
      on m.workspace_id = ${workspaceId}
      and m.channel_id = c.id
      and m.collected_at >= c.published_at + make_interval(secs => ${settledMs / 1000})`.execute(tx)
  return rows
}
