import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { MetricPullTable } from '../../infra/db/tables.ts'
import type { PullRef } from './jobs.ts'

export type PullRow = Selectable<MetricPullTable>
type Publisher = { workspaceId: string; connectionId: string; platform: string }

const publisherRows = (publishers: readonly Publisher[]) =>
  sql`
    unnest(
      ${publishers.map(({ workspaceId }) => workspaceId)}::text[],
      ${publishers.map(({ connectionId }) => connectionId)}::text[],
      ${publishers.map(({ platform }) => platform)}::text[]
    ) as t (workspace_id, connection_id, platform)`

/**
 * Plans a pull of these connections at this time, unless one is due earlier. Rows are written in a fixed order, so that two relays do not
 * deadlock.
 */
export async function planPulls(tx: Tx, publishers: readonly Publisher[], by: Date): Promise<void> {
  await sql`
    insert into metric_pull as m (workspace_id, connection_id, platform, due_at)
    select t.workspace_id, t.connection_id, t.platform, ${by}::timestamptz
    from ${publisherRows(publishers)}
    order by 1, 2
    on conflict (workspace_id, connection_id) do update set
      due_at = greatest(excluded.due_at, m.held_until)
    where m.due_at is null or m.due_at > excluded.due_at`.execute(tx)
}

/** Requests fresh figures of these connections now. Returns the number of connections that had no such request yet. */
export async function requestPulls(tx: Tx, publishers: readonly Publisher[], now: Date): Promise<number> {
  const { rows } = await sql`
    insert into metric_pull as m (workspace_id, connection_id, platform, due_at, wanted_at)
    select t.workspace_id, t.connection_id, t.platform, ${now}::timestamptz, ${now}::timestamptz
    from ${publisherRows(publishers)}
    order by 1, 2
    on conflict (workspace_id, connection_id) do update set
      due_at = greatest(excluded.due_at, m.held_until),
      wanted_at = excluded.wanted_at,
      failures = 0
    where m.wanted_at is null
    returning 1`.execute(tx)
  return rows.length
}

/**
 * Claims pulls that are due, across all workspaces. Several dispatchers may run: each skips rows that another one is claiming. At most
 * `perPlatform` pulls of a platform are in progress at a time. Pulls that were claimed long ago and have no result are claimed again.
 * A claim clears `due_at`, so that events during the pull can set it to the time of the next one.
 */
export async function claimPulls(
  system: Db,
  { platforms, perPlatform, lostAfterMs }: { platforms: readonly string[]; perPlatform: number; lostAfterMs: number },
): Promise<PullRef[]> {
  const lost = sql`now() - make_interval(secs => ${lostAfterMs / 1000})`
  const { rows } = await sql<PullRef>`
    with capacity as (
      select
        p.platform,
        greatest(0, ${perPlatform}::int - (
          select count(*)
          from metric_pull m
          where m.platform = p.platform and m.handed_at is not null and m.handed_at >= ${lost}
        ))::int as free
      from unnest(${platforms}::text[]) as p (platform)
    ),
    due as (
      select d.workspace_id, d.connection_id
      from capacity, lateral (
        (
          select workspace_id, connection_id
          from metric_pull
          where platform = capacity.platform and handed_at is null and due_at <= now()
          order by due_at
          limit capacity.free
        )
        union all
        (
          select workspace_id, connection_id
          from metric_pull
          where platform = capacity.platform and handed_at is not null and handed_at < ${lost}
          limit capacity.free
        )
      ) as d
    ),
    taken as (
      select m.workspace_id, m.connection_id
      from metric_pull m
      join due on due.workspace_id = m.workspace_id and due.connection_id = m.connection_id
      where (m.handed_at is null and m.due_at <= now()) or m.handed_at < ${lost}
      for update of m skip locked
    )
    update metric_pull m
    set handed_at = now(), due_at = null, generation = m.generation + 1
    from taken
    where m.workspace_id = taken.workspace_id and m.connection_id = taken.connection_id
    returning m.workspace_id as "workspaceId", m.connection_id as "connectionId", m.generation`.execute(system)
  return rows
}

/** A pull that the engine did not accept is due again at once. */
export async function releasePull(system: Db, { workspaceId, connectionId, generation }: PullRef): Promise<void> {
  await sql`
    update metric_pull
    set handed_at = null, due_at = now(), generation = generation + 1
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and generation = ${generation}`.execute(system)
}

/** A process is still at these pulls, after their runs have ended. It does not wait for a row that is being changed: it says so again soon. */
export async function keepPulls(system: Db, refs: readonly PullRef[]): Promise<void> {
  await sql`
    with kept as (
      select m.workspace_id, m.connection_id
      from metric_pull m
      join unnest(
        ${refs.map(({ workspaceId }) => workspaceId)}::text[],
        ${refs.map(({ connectionId }) => connectionId)}::text[],
        ${refs.map(({ generation }) => generation)}::int[]
      ) as t (workspace_id, connection_id, generation)
        on m.workspace_id = t.workspace_id and m.connection_id = t.connection_id and m.generation = t.generation
      where m.handed_at is not null
      for update of m skip locked
    )
    update metric_pull m
    set handed_at = now()
    from kept
    where m.workspace_id = kept.workspace_id and m.connection_id = kept.connection_id`.execute(system)
}

/** Undefined if the reference is stale, because the pull was settled or claimed again. */
export async function findPull(tx: Tx, { workspaceId, connectionId, generation }: PullRef): Promise<PullRow | undefined> {
  return tx
    .selectFrom('metric_pull')
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', '=', connectionId)
    .where('generation', '=', generation)
    .where('handed_at', 'is not', null)
    .selectAll()
    .executeTakeFirst()
}

export async function deletePull(tx: Tx, { workspaceId, connectionId, generation }: PullRef): Promise<void> {
  await tx
    .deleteFrom('metric_pull')
    .where('workspace_id', '=', workspaceId)
    .where('connection_id', '=', connectionId)
    .where('generation', '=', generation)
    .execute()
}

/** `isRequestDone`: the user's request that this pull began with is fulfilled or dropped. A newer request stays. */
export type PullResult = { nextAt: Date | null; heldUntil: Date | null; failures: number; isRequestDone: boolean }

/** Ends a pull and sets when the next one is due. An event or a request during the pull may have set an earlier time, which is kept. */
export async function settlePull(
  tx: Tx,
  { workspaceId, connectionId, generation }: PullRef,
  { wanted_at: wantedAt }: Pick<PullRow, 'wanted_at'>,
  { nextAt, heldUntil, failures, isRequestDone }: PullResult,
): Promise<void> {
  await sql`
    update metric_pull
    set
      handed_at = null,
      held_until = ${heldUntil}::timestamptz,
      due_at = greatest(least(due_at, ${nextAt}::timestamptz), ${heldUntil}::timestamptz),
      failures = ${failures},
      wanted_at = case when ${isRequestDone}::boolean then nullif(wanted_at, ${wantedAt}::timestamptz) else wanted_at end
    where workspace_id = ${workspaceId} and connection_id = ${connectionId} and generation = ${generation}`.execute(tx)
}
