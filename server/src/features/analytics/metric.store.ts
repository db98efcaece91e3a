import type { Engagement, Metric } from '@carillon/contract'
import { sql, type Selectable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { ChannelMetricTable } from '../../infra/db/tables.ts'
import type { FinishedFilter } from '../posts/reading/find-finished.ts'
import { type HistoryDay, decodeHistory } from './history/encode-history.ts'
import { readFigures } from './history/history.store.ts'
import { interactions, matchesFigures } from './figure-group.store.ts'
import { dayOf } from './resolve-range.ts'

/** `rated` channels have impressions, `unrated` ones have figures without impressions. */
export type FigureDay = Engagement & { day: string; interactions: number; rated: number; unrated: number }

/** The latest figures, summed by the day (UTC) of publication. */
export async function sumFigures(tx: Tx, filter: FinishedFilter): Promise<FigureDay[]> {
  const total = (name: Metric) => sql`coalesce(sum(${sql.ref(name)}), 0)::float8`
  const { rows } = await sql<Omit<FigureDay, 'day'> & { at: Date }>`
    select
      date_bin('1 day', published_at, 'epoch') as at,
      ${total('likes')} as likes,
      ${total('comments')} as comments,
      ${total('shares')} as shares,
      ${total('impressions')} as impressions,
      ${total('clicks')} as clicks,
      ${total('saves')} as saves,
      ${interactions} as interactions,
      (count(*) filter (where m.impressions > 0))::int as rated,
      (count(*) filter (where coalesce(m.impressions, 0) = 0 and m.collected_at is not null))::int as unrated
    from channel_metric m
    where ${matchesFigures(filter)}
    group by 1
    order by 1`.execute(tx)
  return rows.map(({ at, ...figures }) => ({ day: dayOf(at.getTime()), ...figures }))
}

export type MetricRow = Selectable<ChannelMetricTable>

export async function findMetrics(tx: Tx, workspaceId: string, channelIds: readonly string[]): Promise<MetricRow[]> {
  const { rows } = await sql<MetricRow>`
    select *
    from channel_metric
    where workspace_id = ${workspaceId} and channel_id = any(${channelIds}::text[])`.execute(tx)
  return rows
}

/** When the figures of each of these channels were last requested. */
export async function findAskedTimes(tx: Tx, workspaceId: string, channelIds: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ channel_id: string; asked_at: Date }>`
    select channel_id, asked_at
    from channel_metric
    where workspace_id = ${workspaceId} and channel_id = any(${channelIds}::text[])`.execute(tx)
  return new Map(rows.map((row) => [row.channel_id, row.asked_at]))
}

/** Figures as they are stored; null if the platform does not report them. */
export type FigureRow = Record<Metric, number | null>
/** `figures` is null if the platform reported nothing about the channel. */
export type ChannelFigures = { channelId: string; publishedAt: Date; figures: FigureRow | null }

/**
 * Stores the figures of channels, as the latest ones and as those of the day. For a channel without figures, only the time of the request
 * is stored. The row of a day is overwritten during the day when a figure changed, so it finally holds the last figures of that day.
 */
export async function saveFigures(
  tx: Tx,
  { workspaceId, platform, at }: { workspaceId: string; platform: string; at: Date },
  channels: readonly ChannelFigures[],
): Promise<void> {
  const figure = (name: Metric) => sql`${channels.map(({ figures }) => figures?.[name] ?? null)}::bigint[]`
  const rows = sql`
    unnest(
      ${channels.map(({ channelId }) => channelId)}::text[],
      ${channels.map(({ publishedAt }) => publishedAt)}::timestamptz[],
      ${channels.map(({ figures }) => figures !== null)}::boolean[],
      ${figure('likes')},
      ${figure('comments')},
      ${figure('shares')},
      ${figure('impressions')},
      ${figure('clicks')},
      ${figure('saves')}
    ) as t (channel_id, published_at, has_figures, likes, comments, shares, impressions, clicks, saves)`
  // Some platforms stop reporting a figure for old posts. It then keeps its last value.
  await sql`
    insert into channel_metric as m (
      workspace_id, channel_id, platform, published_at, asked_at, collected_at,
      likes, comments, shares, impressions, clicks, saves
    )
    select
      ${workspaceId}, t.channel_id, ${platform}, t.published_at, ${at}::timestamptz,
      case when t.has_figures then ${at}::timestamptz end,
      t.likes, t.comments, t.shares, t.impressions, t.clicks, t.saves
    from ${rows}
    on conflict (workspace_id, channel_id) do update set
      asked_at = excluded.asked_at,
      collected_at = coalesce(excluded.collected_at, m.collected_at),
      likes = coalesce(excluded.likes, m.likes),
      comments = coalesce(excluded.comments, m.comments),
      shares = coalesce(excluded.shares, m.shares),
      impressions = coalesce(excluded.impressions, m.impressions),
      clicks = coalesce(excluded.clicks, m.clicks),
      saves = coalesce(excluded.saves, m.saves)`.execute(tx)
  const day = sql`(${at}::timestamptz at time zone 'UTC')::date`
  await sql`
    insert into metric_day (workspace_id, channel_id, day, likes, comments, shares, impressions, clicks, saves)
    select ${workspaceId}, t.channel_id, ${day}, t.likes, t.comments, t.shares, t.impressions, t.clicks, t.saves
    from ${rows}
    where t.has_figures
      and not exists (
        select from metric_day d
        where d.workspace_id = ${workspaceId}
          and d.channel_id = t.channel_id
          and d.day = ${day}
          and (d.likes, d.comments, d.shares, d.impressions, d.clicks, d.saves)
            is not distinct from (t.likes, t.comments, t.shares, t.impressions, t.clicks, t.saves)
      )
    on conflict (workspace_id, channel_id, day) do update set
      likes = excluded.likes,
      comments = excluded.comments,
      shares = excluded.shares,
      impressions = excluded.impressions,
      clicks = excluded.clicks,
      saves = excluded.saves`.execute(tx)
}

export type ChannelDay = HistoryDay & { channelId: string }

/**
 * The figures of these channels for every day on which they were collected, ordered by channel and day. Days are in two tables. One statement
 * reads both, so that it sees a day that a worker is moving in exactly one of them.
 */
export async function listDays(tx: Tx, workspaceId: string, channelIds: readonly string[]): Promise<ChannelDay[]> {
  type Row = { channelId: string } & Record<Metric, string | null> &
    ({ day: string; packed: null } | { day: null; packed: string })
  const { rows } = await sql<Row>`
    select
      channel_id as "channelId", to_char(day, 'YYYY-MM-DD') as day, null as packed,
      likes, comments, shares, impressions, clicks, saves
    from metric_day
    where workspace_id = ${workspaceId} and channel_id = any(${channelIds}::text[])
    union all
    select channel_id, null, days, null, null, null, null, null, null
    from metric_history
    where workspace_id = ${workspaceId} and channel_id = any(${channelIds}::text[])`.execute(tx)
  const days = rows.flatMap((row): ChannelDay[] => {
    const { channelId } = row
    if (row.packed !== null) return decodeHistory(row.packed).map((day) => ({ channelId, ...day }))
    return [{ channelId, day: row.day, ...readFigures(row) }]
  })
  return days.toSorted((a, b) => compare(a.channelId, b.channelId) || compare(a.day, b.day))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
