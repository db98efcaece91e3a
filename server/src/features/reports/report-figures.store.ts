import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'

/** What a report is about: the channels that were published from `from` on and before `before`. */
export type ReportFilter = {
  workspaceId: string
  from: Date
  before: Date
  labelId: string | null
  /** Null: all accounts. */
  connectionIds: readonly string[] | null
}

/** Figures of several channels. Null: no platform told one, which is not zero. */
export type Figures = {
  impressions: number | null
  /** Likes, comments, shares and saves. */
  interactions: number | null
  /** The interactions of the channels that have impressions, which the engagement rate divides. */
  rated: number
}

export type Totals = Figures & { posts: number; collectedAt: Date | null }
export type AccountFigures = Figures & {
  platform: string
  name: string
  posts: number
  /** How many channels have no impressions, and how many have no interactions. */
  unseen: number
  unanswered: number
}
export type PeriodFigures = { period: number; posts: number; impressions: number | null; interactions: number | null }
export type ReportedPost = Figures & {
  title: string | null
  text: string
  publishedAt: Date
  places: { platform: string; name: string; url: string | null }[]
}

const isAnswered = sql`(m.likes is not null or m.comments is not null or m.shares is not null or m.saves is not null)`
const interactions = sql`(coalesce(m.likes, 0) + coalesce(m.comments, 0) + coalesce(m.shares, 0) + coalesce(m.saves, 0))`
const sums = sql`
  sum(m.impressions)::float8 as impressions,
  (sum(${interactions}) filter (where ${isAnswered}))::float8 as interactions,
  coalesce(sum(${interactions}) filter (where m.impressions > 0), 0)::float8 as rated`

const channels = ({ workspaceId, from, before, labelId, connectionIds }: ReportFilter): RawBuilder<unknown> => sql`
  channel c
  left join channel_metric m on m.workspace_id = c.workspace_id and m.channel_id = c.id
  join post p on p.workspace_id = c.workspace_id and p.id = c.post_id
  where c.workspace_id = ${workspaceId}
    and c.finished_at >= ${from}
    and c.finished_at < ${before}
    and c.outcome = 'published'
    and (${connectionIds}::text[] is null or c.connection_id = any(${connectionIds}::text[]))
    and (${labelId}::text is null or exists (
      select from post_label l
      where l.workspace_id = c.workspace_id and l.post_id = c.post_id and l.label_id = ${labelId}))`

/** A post on several accounts counts once. */
export async function sumTotals(tx: Tx, filter: ReportFilter): Promise<Totals> {
  const { rows } = await sql<Totals>`
    select count(distinct c.post_id)::int as posts, max(m.collected_at) as "collectedAt", ${sums}
    from ${channels(filter)}`.execute(tx)
  return rows[0] ?? { posts: 0, collectedAt: null, impressions: null, interactions: null, rated: 0 }
}

/** With the name that an account had at its newest post. */
export async function sumByAccount(tx: Tx, filter: ReportFilter): Promise<AccountFigures[]> {
  const { rows } = await sql<AccountFigures>`
    select
      c.platform,
      (array_agg(c.target_name order by c.finished_at desc))[1] as name,
      count(*)::int as posts,
      (count(*) filter (where m.impressions is null))::int as unseen,
      (count(*) filter (where ${isAnswered} is not true))::int as unanswered,
      ${sums}
    from ${channels(filter)}
    group by c.platform, c.connection_id
    order by posts desc, name, c.connection_id`.execute(tx)
  return rows
}

/** By the number of the period, from 1 on; `starts` are the beginnings of the periods in their order. */
export async function sumByPeriod(tx: Tx, filter: ReportFilter, starts: readonly Date[]): Promise<PeriodFigures[]> {
  const { rows } = await sql<PeriodFigures>`
    select width_bucket(c.finished_at, ${starts}::timestamptz[]) as period, count(distinct c.post_id)::int as posts, ${sums}
    from ${channels(filter)}
    group by 1`.execute(tx)
  return rows
}

/** The posts that people reacted to most. */
export async function listBestPosts(
  tx: Tx,
  filter: ReportFilter,
  { limit, textLength }: { limit: number; textLength: number },
): Promise<ReportedPost[]> {
  const { rows } = await sql<ReportedPost>`
    select
      p.title,
      left(coalesce(p.text, ''), ${textLength}::int) as text,
      min(coalesce(c.published_at, c.finished_at)) as "publishedAt",
      jsonb_agg(
        jsonb_build_object('platform', c.platform, 'name', c.target_name, 'url', c.post_url)
        order by c.platform, c.target_name
      ) as places,
      ${sums}
    from ${channels(filter)}
    group by p.workspace_id, p.id
    order by interactions desc nulls last, impressions desc nulls last, p.id desc
    limit ${limit}`.execute(tx)
  return rows
}
