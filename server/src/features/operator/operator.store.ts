import { sql } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import { openUploadBytesMin } from '../media/media.store.ts'

/** How many results are read at most, so that the page costs a busy installation little. */
export const resultsMax = 20_000

export type HourOfSends = { at: string | null; sends: number; median: number | null; p95: number | null; p99: number | null }
type OutcomeCount = {
  platform: string
  outcome: 'published' | 'failed' | 'unconfirmed'
  code: string | null
  number: number
}
export type RecentResults = { results: number; hours: HourOfSends[]; outcomes: OutcomeCount[] }

/**
 * The results of the last 24 hours across workspaces: how late sends began, in seconds, by hour (the row without `at` is all of them), and
 * what became of them. Each workspace reads its own part of the index `part_finished`.
 */
export async function readRecentResults(system: Tx): Promise<RecentResults> {
  const { rows } = await sql<RecentResults>`
    with recent as materialized (
      select c.platform, c.outcome, c.code, c.finished_at, c.late_ms / 1000.0 as late
      from workspace w
      cross join lateral (
        select platform, outcome, error ->> 'code' as code, finished_at, late_ms
        from channel
        where workspace_id = w.id
          and outcome is not null
          and finished_at > date_trunc('hour', now()) - interval '23 hours'
        order by finished_at desc
        limit ${resultsMax}
      ) as c
      limit ${resultsMax}
    ),
    hour as (
      select date_trunc('hour', finished_at) as at,
        count(late)::int as sends,
        percentile_cont(0.5) within group (order by late) as median,
        percentile_cont(0.95) within group (order by late) as p95,
        percentile_cont(0.99) within group (order by late) as p99
      from recent
      group by grouping sets ((date_trunc('hour', finished_at)), ())
    ),
    counted as (
      select platform, outcome, code, count(*)::int as number
      from recent
      group by platform, outcome, code
      order by platform, number desc, code nulls first
      limit 200
    )
    select
      (select count(*)::int from recent) as results,
      (select coalesce(json_agg(hour order by at), '[]') from hour) as hours,
      (select coalesce(json_agg(counted), '[]') from counted) as outcomes`.execute(system)
  return rows[0] ?? { results: 0, hours: [], outcomes: [] }
}

export type StorageTotals = {
  totalBytes: number
  workspaces: number
  /** The limit of all workspaces together, if there is one. */
  limitBytes: number | null
  largest: { workspaceId: string; bytes: number; files: number }[]
}

/** How many of the largest workspaces are named. */
const largestMax = 10

/** What each workspace stores, as its own limit counts it, and all of them together. The index `media_storage` has every file with its size. */
export async function sumAllStorage(system: Tx): Promise<Omit<StorageTotals, 'limitBytes'>> {
  const { rows } = await sql<{ workspaceId: string; bytes: string; files: string; totalBytes: string; workspaces: string }>`
    select
      workspace_id as "workspaceId",
      sum(bytes) as bytes,
      sum(files) as files,
      sum(sum(bytes)) over () as "totalBytes",
      count(*) over () as workspaces
    from (
      select workspace_id, sum(size_bytes) as bytes, count(*) as files
      from media
      group by workspace_id
      union all
      select workspace_id, sum(greatest(size_bytes, ${openUploadBytesMin})), 0
      from media_upload
      group by workspace_id
    ) as stored
    group by workspace_id
    order by sum(bytes) desc, workspace_id
    limit ${largestMax}`.execute(system)
  return {
    totalBytes: Number(rows[0]?.totalBytes ?? 0),
    workspaces: Number(rows[0]?.workspaces ?? 0),
    largest: rows.map(({ workspaceId, bytes, files }) => ({ workspaceId, bytes: Number(bytes), files: Number(files) })),
  }
}

/** Accounts by platform that are connected. */
export async function countConnections(system: Tx): Promise<{ platform: string; number: number }[]> {
  const { rows } = await sql<{ platform: string; number: number }>`
    select platform, count(*)::int as number
    from (select platform from connection where status <> 'disconnected' limit ${resultsMax}) as c
    group by platform
    order by platform`.execute(system)
  return rows
}
