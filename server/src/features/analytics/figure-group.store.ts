import type { Engagement, Metric, PostType } from '@carillon/contract'
import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { FinishedFilter } from '../posts/reading/find-finished.ts'

const total = (name: Metric) => sql`coalesce(sum(m.${sql.ref(name)}), 0)::float8 as ${sql.ref(name)}`
/** What the engagement rate divides by the impressions: a channel without impressions adds to neither. */
export const interactions = sql`
  coalesce(sum(
    coalesce(m.likes, 0) + coalesce(m.comments, 0) + coalesce(m.shares, 0) + coalesce(m.saves, 0)
  ) filter (where m.impressions > 0), 0)::float8`
const totals = sql`
  ${total('likes')}, ${total('comments')}, ${total('shares')}, ${total('impressions')}, ${total('clicks')}, ${total('saves')},
  ${interactions} as interactions`

/** A condition on `channel_metric m`. */
export const matchesFigures = ({ workspaceId, from, before, platforms, labels }: FinishedFilter) => sql`
  m.workspace_id = ${workspaceId}
  and m.published_at >= ${from}
  and m.published_at < ${before}
  and (${platforms}::text[] is null or m.platform = any(${platforms}::text[]))
  ${labels ? isLabelled(labels) : sql``}`

const isLabelled = (labels: readonly string[]) => sql`
  and exists (
    select
    from channel c
    join post_label l on l.workspace_id = c.workspace_id and l.post_id = c.post_id
    where c.workspace_id = m.workspace_id and c.id = m.channel_id and l.label_id = any(${labels})
  )`

/** Figures with the interactions of those channels that have impressions. */
type Figures = Engagement & { interactions: number }

export type FigureGroup = Figures & { platform: string; connectionId: string | null; collectedAt: Date | null }

/** The latest figures, summed by platform or by connection. */
export async function sumFiguresBy(tx: Tx, filter: FinishedFilter, by: 'platform' | 'connection'): Promise<FigureGroup[]> {
  const { rows } =
    by === 'platform'
      ? await sql<FigureGroup>`
        select m.platform, null as "connectionId", max(m.collected_at) as "collectedAt", ${totals}
        from channel_metric m
        where ${matchesFigures(filter)}
        group by m.platform`.execute(tx)
      : await sql<FigureGroup>`
        select m.platform, c.connection_id as "connectionId", max(m.collected_at) as "collectedAt", ${totals}
        from channel_metric m
        join channel c on c.workspace_id = m.workspace_id and c.id = m.channel_id
        where ${matchesFigures(filter)}
        group by m.platform, c.connection_id`.execute(tx)
  return rows
}

export type RankedRow = Figures & {
  id: string
  title: string | null
  excerpt: string
  type: PostType
  publishedAt: Date
  platforms: string[]
  collectedAt: Date | null
}

/** The posts with the highest sum of a figure over their channels. */
export async function rankPosts(
  tx: Tx,
  filter: FinishedFilter,
  { by, limit }: { by: Metric; limit: number },
): Promise<RankedRow[]> {
  const { rows } = await sql<RankedRow>`
    select
      p.id,
      p.title,
      left(coalesce(nullif(p.title, ''), p.text, ''), 80) as excerpt,
      p.type,
      min(m.published_at) as "publishedAt",
      array_agg(distinct m.platform order by m.platform) as platforms,
      max(m.collected_at) as "collectedAt",
      ${totals}
    from channel_metric m
    join channel c on c.workspace_id = m.workspace_id and c.id = m.channel_id
    join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
    where ${matchesFigures(filter)}
    group by p.workspace_id, p.id
    order by coalesce(sum(m.${sql.ref(by)}), 0) desc, p.id desc
    limit ${limit}`.execute(tx)
  return rows
}

type FigureLabel = Figures & { labelId: string; collectedAt: Date | null }

/** The latest figures, summed by label. A post with several labels counts for each. */
export async function sumFiguresByLabel(tx: Tx, filter: FinishedFilter): Promise<FigureLabel[]> {
  const { rows } = await sql<FigureLabel>`
    select l.label_id as "labelId", max(m.collected_at) as "collectedAt", ${totals}
    from channel_metric m
    join channel c on c.workspace_id = m.workspace_id and c.id = m.channel_id
    join post_label l on l.workspace_id = c.workspace_id and l.post_id = c.post_id
    where ${matchesFigures(filter)}
    group by l.label_id`.execute(tx)
  return rows
}
