import { sql } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'

export type RateWindow = { key: string; windowMs: number }
/** `isNew`: it starts with this transaction. */
export type OpenWindow = RateWindow & { used: number; endsAtMs: number; isNew: boolean }

/**
 * Locks the current windows, in one order, and tells how much of each is used. A window whose time is over counts as empty and starts anew.
 * The lock lasts until the transaction ends, so what is granted from these figures is exact.
 */
export async function lockWindows(tx: Tx, windows: readonly RateWindow[]): Promise<OpenWindow[]> {
  if (windows.length === 0) return []
  const sorted = windows.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.windowMs - b.windowMs))
  const isOver = sql`r.started_at + make_interval(secs => r.window_ms / 1000.0) <= now()`
  const { rows } = await sql<{ key: string; window_ms: string; used: number; started_at: Date; is_new: boolean }>`
    insert into rate_window as r (key, window_ms, started_at, used)
    select key, window_ms, now(), 0
    from unnest(${sorted.map((w) => w.key)}::text[], ${sorted.map((w) => w.windowMs)}::bigint[]) as t (key, window_ms)
    on conflict (key, window_ms) do update set
      started_at = case when ${isOver} then now() else r.started_at end,
      used = case when ${isOver} then 0 else r.used end
    returning key, window_ms, used, started_at, started_at = now() as is_new`.execute(tx)
  return rows.map((row) => {
    const windowMs = Number(row.window_ms)
    return { key: row.key, windowMs, used: row.used, endsAtMs: row.started_at.getTime() + windowMs, isNew: row.is_new }
  })
}

/** Charges what was granted, and nothing else. */
export async function chargeWindows(tx: Tx, charges: readonly (RateWindow & { count: number })[]): Promise<void> {
  if (charges.length === 0) return
  await sql`
    update rate_window r
    set used = r.used + t.count
    from unnest(
      ${charges.map((c) => c.key)}::text[],
      ${charges.map((c) => c.windowMs)}::bigint[],
      ${charges.map((c) => c.count)}::int[]
    ) as t (key, window_ms, count)
    where r.key = t.key and r.window_ms = t.window_ms`.execute(tx)
}

/**
 * Takes back charges made at these times, each from its window only if that has not started anew since. The windows are locked in the same
 * order as when they are charged.
 */
export async function giveBack(tx: Tx, charges: readonly (RateWindow & { atMs: number })[]): Promise<void> {
  if (charges.length === 0) return
  await sql`
    with t as materialized (
      select *
      from unnest(
        ${charges.map((c) => c.key)}::text[],
        ${charges.map((c) => c.windowMs)}::bigint[],
        ${charges.map((c) => new Date(c.atMs))}::timestamptz[]
      ) as t (key, window_ms, charged_at)
    ), locked as (
      select r.key, r.window_ms
      from rate_window r
      where (r.key, r.window_ms) in (select t.key, t.window_ms from t)
      order by r.key collate "C", r.window_ms
      for update
    )
    update rate_window r
    set used = greatest(0, r.used - (
      select count(*)
      from t
      where t.key = r.key and t.window_ms = r.window_ms and date_trunc('milliseconds', r.started_at) <= t.charged_at
    ))
    from locked l
    where r.key = l.key and r.window_ms = l.window_ms`.execute(tx)
}

/** How many workspaces have used the platform app in its current window, by the windows kept for their shares. */
export async function countSharers(tx: Tx, appKey: string, windowMs: number): Promise<number> {
  const { rows } = await sql<{ sharers: number }>`
    select count(*)::int as sharers
    from rate_window r
    where r.key >= ${`${appKey} `} and r.key < ${`${appKey}!`} and r.window_ms = ${windowMs}
      and r.started_at + make_interval(secs => r.window_ms / 1000.0) > now()`.execute(tx)
  return rows[0]?.sharers ?? 0
}

type ConnectionKey = { workspaceId: string; id: string }

/** How many sends of each of these connections are still in doubt, by connection. Those of this transaction are not. */
export async function countInDoubt(tx: Tx, connections: readonly ConnectionKey[]): Promise<Map<string, number>> {
  if (connections.length === 0) return new Map()
  const { rows } = await sql<{ connection_id: string; count: number }>`
    select c.connection_id, count(*)::int as count
    from part c
    join unnest(
      ${connections.map(({ workspaceId }) => workspaceId)}::text[],
      ${connections.map(({ id }) => id)}::text[]
    ) as t (workspace_id, id) on c.workspace_id = t.workspace_id and c.connection_id = t.id
    where c.finished_at is null and c.state = 'submitting' and c.submitted_at < now()
    group by c.connection_id`.execute(tx)
  return new Map(rows.map((row) => [row.connection_id, row.count]))
}

/** Those of these connections whose calls the platform counts for an app of their workspace. */
export async function findOwnAppUsers(
  tx: Tx,
  connections: readonly { workspace_id: string; id: string }[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select c.id
    from unnest(${connections.map((each) => each.workspace_id)}::text[], ${connections.map(({ id }) => id)}::text[]) as t (workspace_id, id)
    join connection c using (workspace_id, id)
    where c.own_app`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
