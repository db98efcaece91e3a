import type { Metric } from '@carillon/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import type { HistoryDay } from './encode-history.ts'

export type ChannelKey = { workspaceId: string; channelId: string }
type ChannelDay = ChannelKey & HistoryDay
type ChannelHistory = ChannelKey & { days: string }

const keyRows = (channels: readonly ChannelKey[]) => sql`
  unnest(
    ${channels.map(({ workspaceId }) => workspaceId)}::text[],
    ${channels.map(({ channelId }) => channelId)}::text[]
  ) as k (workspace_id, channel_id)`

/**
 * The channels with the oldest days before `before`, across all workspaces. None until the database has had the table of histories since
 * `upgradedBefore`: a process of the release before does not read it.
 */
export async function findUnfolded(
  system: Db,
  { before, upgradedBefore, limit }: { before: string; upgradedBefore: Date; limit: number },
): Promise<ChannelKey[]> {
  const { rows } = await sql<ChannelKey>`
    select distinct workspace_id as "workspaceId", channel_id as "channelId"
    from (
      select workspace_id, channel_id
      from metric_day
      where day < ${before}::date
        and exists (select from migration where name = '032_metric_history.sql' and applied_at < ${upgradedBefore})
      order by day
      limit ${limit}
    ) as oldest`.execute(system)
  return rows
}

/** Only one worker moves days at a time. The lock ends with the transaction. */
export async function lockHistories(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(7241903) as locked`.execute(tx)
  return rows[0]?.locked ?? false
}

/**
 * Keeps these channels from being deleted until the transaction ends, without delaying new figures. Leaves out those that are being deleted,
 * because waiting for them could be a deadlock.
 */
export async function keepChannels(tx: Tx, channels: readonly ChannelKey[]): Promise<ChannelKey[]> {
  const { rows } = await sql<ChannelKey>`
    select m.workspace_id as "workspaceId", m.channel_id as "channelId"
    from ${keyRows(channels)}
    join channel_metric m on m.workspace_id = k.workspace_id and m.channel_id = k.channel_id
    for key share of m skip locked`.execute(tx)
  return rows
}

/** Deletes the days before `before` and returns them. */
export async function takeDays(tx: Tx, channels: readonly ChannelKey[], before: string): Promise<ChannelDay[]> {
  const { rows } = await sql<ChannelKey & { day: string } & Record<Metric, string | null>>`
    delete from metric_day d
    using ${keyRows(channels)}
    where d.workspace_id = k.workspace_id and d.channel_id = k.channel_id and d.day < ${before}::date
    returning
      d.workspace_id as "workspaceId", d.channel_id as "channelId", to_char(d.day, 'YYYY-MM-DD') as day,
      d.likes, d.comments, d.shares, d.impressions, d.clicks, d.saves`.execute(tx)
  return rows.map((row) => ({ ...row, ...readFigures(row) }))
}

export async function findHistories(tx: Tx, channels: readonly ChannelKey[]): Promise<ChannelHistory[]> {
  const { rows } = await sql<ChannelHistory>`
    select h.workspace_id as "workspaceId", h.channel_id as "channelId", h.days
    from ${keyRows(channels)}
    join metric_history h on h.workspace_id = k.workspace_id and h.channel_id = k.channel_id`.execute(tx)
  return rows
}

export async function saveHistories(tx: Tx, histories: readonly ChannelHistory[]): Promise<void> {
  if (histories.length === 0) return
  await sql`
    insert into metric_history (workspace_id, channel_id, days)
    select *
    from unnest(
      ${histories.map(({ workspaceId }) => workspaceId)}::text[],
      ${histories.map(({ channelId }) => channelId)}::text[],
      ${histories.map(({ days }) => days)}::text[]
    )
    on conflict (workspace_id, channel_id) do update set days = excluded.days`.execute(tx)
}

/** Figures as numbers. They are counts that the platform sent as JSON numbers, so they are not too large for one. */
export function readFigures(row: Record<Metric, string | null>): Record<Metric, number | null> {
  return {
    likes: numberOrNull(row.likes),
    comments: numberOrNull(row.comments),
    shares: numberOrNull(row.shares),
    impressions: numberOrNull(row.impressions),
    clicks: numberOrNull(row.clicks),
    saves: numberOrNull(row.saves),
  }
}

function numberOrNull(text: string | null): number | null {
  return text === null ? null : Number(text)
}
