import type { Rate } from '@carillon/contract'
import { sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'

export type Lease = { key: string; rate: Rate; wanted: number }
export type Leased = { key: string; windowMs: number; over: number; untilMs: number }

/** Takes publishing calls from the current windows in one statement. `over`: how many of those wanted are too many, and until when. */
export async function takeLeases(tx: Tx, leases: readonly Lease[]): Promise<Leased[]> {
  if (leases.length === 0) return []
  const sorted = leases.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const isOver = sql`r.started_at + make_interval(secs => r.window_ms / 1000.0) <= now()`
  const { rows } = await sql<{ key: string; window_ms: string; used: number; started_at: Date }>`
    insert into rate_window as r (key, window_ms, started_at, used)
    select key, window_ms, now(), wanted
    from unnest(
      ${sorted.map((l) => l.key)}::text[],
      ${sorted.map((l) => l.rate.windowMs)}::bigint[],
      ${sorted.map((l) => l.wanted)}::int[]
    ) as t (key, window_ms, wanted)
    on conflict (key, window_ms) do update set
      started_at = case when ${isOver} then now() else r.started_at end,
      used = case when ${isOver} then excluded.used else r.used + excluded.used end
    returning key, window_ms, used, started_at`.execute(tx)
  const limits = new Map(sorted.map((lease) => [`${lease.key} ${lease.rate.windowMs}`, lease.rate.count]))
  return rows.map((row) => {
    const windowMs = Number(row.window_ms)
    const over = Math.max(0, row.used - (limits.get(`${row.key} ${windowMs}`) ?? 0))
    return { key: row.key, windowMs, over, untilMs: row.started_at.getTime() + windowMs }
  })
}
