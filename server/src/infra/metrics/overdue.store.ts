import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { isKnownPlatform } from '../db/known-platforms.store.ts'

/** Counting stops here: it takes a few milliseconds, however long a queue is. */
const countMax = 10_000

export type Overdue = {
  /** Channels past their time that no worker has begun to send, claimed or not. What waits for a reason has a later time. */
  overdue: number
  oldestOverdueSeconds: number
  /** How many workspaces they belong to: one may have slow servers of its own, several mean that nothing goes out. */
  overdueWorkspaces: number
  /** Past their time and claimed, and their files are still being transferred. */
  preparing: number
  inProgress: number
  /** In progress, and not looked at although it was time a minute ago. */
  stuck: number
  /** Sent more than a minute ago and without an answer; the platform is asked about them. */
  inDoubt: number
}

/**
 * What is late, across all workspaces and in every state without an outcome. The times are those of the plan: a rate limit, a server that is
 * down or an account to be connected again moves it. Reads the beginnings of the indexes of due channels and of channels in progress.
 */
export async function readOverdue(system: Db): Promise<Overdue> {
  const { rows } = await sql<Overdue>`
    with unclaimed as (
      select workspace_id, wake_at as planned_at
      from part
      where wake_at < now() and ${isKnownPlatform('platform')}
      order by wake_at
      limit ${countMax}
    ),
    in_progress as (
      select workspace_id, state, greatest(dispatch_at, not_before) as planned_at, submitted_at, recover_at,
        needs_stage and staged is null as is_preparing
      from part
      where recover_at is not null and ${isKnownPlatform('platform')}
      order by recover_at
      limit ${countMax}
    ),
    overdue as (
      select workspace_id, planned_at from unclaimed
      union all
      select workspace_id, planned_at from in_progress where state = 'dispatched' and planned_at < now() and not is_preparing
    )
    select
      (select least(count(*), ${countMax}) from overdue)::int as "overdue",
      (select coalesce(extract(epoch from now() - min(planned_at)), 0) from overdue)::float8 as "oldestOverdueSeconds",
      (select count(distinct workspace_id) from overdue)::int as "overdueWorkspaces",
      count(*) filter (where state = 'dispatched' and planned_at < now() and is_preparing)::int as "preparing",
      count(*)::int as "inProgress",
      count(*) filter (where recover_at < now() - interval '1 minute')::int as "stuck",
      count(*) filter (where state = 'submitting' and submitted_at < now() - interval '1 minute')::int as "inDoubt"
    from in_progress`.execute(system)
  const [row] = rows
  if (!row) throw new Error('an aggregate without a row')
  return row
}

/** Channels past their due time that wait for a reason, which is shown to the person, by reason. */
export async function countWaiting(system: Db): Promise<{ reason: string; number: number }[]> {
  const { rows } = await sql<{ reason: string; number: number }>`
    select reason, count(*)::int as number
    from (
      select waiting_reason as reason
      from part
      where waiting_reason is not null and due_at < now() and state in ('scheduled', 'dispatched')
      limit ${countMax}
    ) as c
    group by reason`.execute(system)
  return rows
}

export type Figures = Overdue & {
  heartbeatAgeSeconds: number | null
  isFenced: boolean
  isUnchecked: boolean
  epoch: number
  eventsWaiting: number
  eventsOldestSeconds: number
  deliveriesWaiting: number
  deliveriesInProgress: number
  mailsWaiting: number
  mailsOldestSeconds: number
}

export type PlatformCount = { platform: string; number: number }
export type ConnectionFigures = { needReconnect: PlatformCount[]; expiring: PlatformCount[] }

const age = (instant: ReturnType<typeof sql>) => sql`coalesce(greatest(0, extract(epoch from now() - (${instant}))), 0)::float8`

/** What waits and since when, across all workspaces. Each part reads the beginning of one index. */
export async function readFigures(system: Db): Promise<Figures> {
  const overdue = await readOverdue(system)
  const { rows } = await sql<Omit<Figures, keyof Overdue>>`
    select
      (select extract(epoch from now() - max(at)) from heartbeat)::float8 as "heartbeatAgeSeconds",
      cell.fenced_at is not null as "isFenced",
      cell.fenced_at is null and cell.open_until < now() as "isUnchecked",
      cell.epoch as "epoch",
      (select count(*) from (select 1 from outbox_event limit ${countMax}) as e)::int as "eventsWaiting",
      ${age(sql`select at from outbox_event order by id limit 1`)} as "eventsOldestSeconds",
      (
        select count(*)
        from (
          select 1
          from webhook_delivery
          where status = 'pending' and claimed_at is null and next_attempt_at < now()
          limit ${countMax}
        ) as d
      )::int as "deliveriesWaiting",
      (
        select count(*)
        from (
          select 1
          from webhook_delivery
          where status = 'pending' and claimed_at is not null and next_attempt_at < now()
          limit ${countMax}
        ) as d
      )::int as "deliveriesInProgress",
      (select count(*) from (select 1 from outgoing_mail limit ${countMax}) as m)::int as "mailsWaiting",
      ${age(sql`select due_at from outgoing_mail where due_at < now() order by due_at limit 1`)} as "mailsOldestSeconds"
    from cell`.execute(system)
  const [row] = rows
  if (!row) throw new Error('the table cell has no row')
  return { ...overdue, ...row }
}

/** Accounts that need a person, by platform. */
export async function readConnectionFigures(system: Db): Promise<ConnectionFigures> {
  const [needReconnect, expiring] = await Promise.all([
    sql<PlatformCount>`
      select platform, count(*)::int as number
      from (select platform from connection where status = 'needs_reconnect' limit ${countMax}) as c
      group by platform`.execute(system),
    sql<PlatformCount>`
      select platform, count(*)::int as number
      from (
        select platform
        from connection
        where token_renewable is not true and status = 'active' and token_expires_at < now() + interval '7 days'
        limit ${countMax}
      ) as c
      group by platform`.execute(system),
  ])
  return { needReconnect: needReconnect.rows, expiring: expiring.rows }
}
