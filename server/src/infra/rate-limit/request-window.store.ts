import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

type Reservation = {
  key: string
  limit: number
  /** Requests that were allowed without a reservation and are counted now. */
  unreported: number
  /** How many requests to reserve at most. */
  slice: number
  startedAt: Date
  now: Date
  windowMs: number
}

export type Reserved = { granted: number; used: number; startedAt: Date }

/**
 * Reserves requests of a window that all processes share. Near the limit the reservations become smaller, so that one process does not hold
 * what another one needs. Uses the system role: limits by address belong to no workspace.
 */
export async function reserveRequests(system: Db, reservation: Reservation): Promise<Reserved> {
  const { key, limit, unreported, slice, startedAt, now, windowMs } = reservation
  const cut = new Date(now.getTime() - windowMs)
  const isOver = sql`w.started_at <= ${cut}`
  const before = sql`(case when ${isOver} then 0 else w.used end + ${unreported}::integer)`
  const room = sql`greatest(0, ${limit}::integer - ${before})`
  const grant = sql`least(${room}, greatest(1, least(${slice}::integer, ${room} / 4)))`
  const first = Math.min(slice, Math.max(0, limit - unreported))
  const { rows } = await sql<Reserved>`
    insert into request_window as w (key, started_at, used, granted)
    values (${key}, ${startedAt}, ${unreported + first}, ${first})
    on conflict (key) do update set
      started_at = case when ${isOver} then excluded.started_at else w.started_at end,
      used = ${before} + ${grant},
      granted = ${grant}
    returning granted, used, started_at as "startedAt"`.execute(system)
  const [reserved] = rows
  if (!reserved) throw new Error('a reservation of requests returned no row')
  return reserved
}
