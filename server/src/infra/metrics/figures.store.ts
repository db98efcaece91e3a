import { sql } from 'kysely'
import type { Db } from '../db/db.ts'
import { countMax, readOverdue, type Overdue } from './overdue.store.ts'

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
