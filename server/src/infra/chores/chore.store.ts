import { sql } from 'kysely'
import type { Db } from '../db/db.ts'

/** `interrupted`: the process stopped meanwhile. The pass may have ended a little later, beside the next one. */
export type ChoreOutcome = 'done' | 'failed' | 'abandoned' | 'interrupted'

export type EndedPass = {
  name: string
  everyMs: number
  deadlineMs: number
  durationMs: number
  outcome: ChoreOutcome
  /** Until the next pass. */
  waitMs: number
}

/** What became of a pass. The times are those of the database, because passes run on many machines. */
export async function savePass(system: Db, pass: EndedPass): Promise<void> {
  const { name, everyMs, deadlineMs, durationMs, outcome, waitMs } = pass
  await sql`
    insert into chore as c (name, every_ms, deadline_ms, begun_at, duration_ms, outcome, succeeded_at, failed_passes, next_at)
    values (
      ${name},
      ${everyMs},
      ${deadlineMs},
      now(),
      ${Math.round(durationMs)},
      ${outcome},
      case when ${outcome} = 'done' then now() end,
      case when ${outcome} in ('failed', 'abandoned') then 1 else 0 end,
      now() + make_interval(secs => ${waitMs / 1000}::float8)
    )
    on conflict (name) do update set
      every_ms = excluded.every_ms,
      deadline_ms = excluded.deadline_ms,
      duration_ms = excluded.duration_ms,
      outcome = excluded.outcome,
      succeeded_at = coalesce(excluded.succeeded_at, c.succeeded_at),
      failed_passes = c.failed_passes + excluded.failed_passes,
      next_at = excluded.next_at`.execute(system)
}

export type ChoreStatus = {
  name: string
  everyMs: number
  deadlineMs: number
  /** Since the last pass that succeeded, or since the first pass of all if none did. */
  ageMs: number
  durationMs: number
  outcome: ChoreOutcome
  failedPasses: number
  /** Until the next pass; negative if it is late. */
  nextInMs: number
}

/** A chore that is late is started again within minutes, so one that has not run for a week is not of this release. */
export async function listChores(db: Db): Promise<ChoreStatus[]> {
  const { rows } = await sql<ChoreStatus>`
    select
      name,
      every_ms::float8 as "everyMs",
      deadline_ms::float8 as "deadlineMs",
      (extract(epoch from now() - coalesce(succeeded_at, begun_at)) * 1000)::float8 as "ageMs",
      duration_ms::float8 as "durationMs",
      outcome,
      failed_passes::float8 as "failedPasses",
      (extract(epoch from next_at - now()) * 1000)::float8 as "nextInMs"
    from chore
    where next_at > now() - interval '7 days'
    order by name`.execute(db)
  return rows
}

/** Chores are urgent by minutes at most, and a longer outage of the engine has alerts of its own. */
const choreMsMin = 300_000

/** How old the last successful pass may be before the chore counts as stopped. */
export function choreMsMax({ everyMs, deadlineMs }: Pick<ChoreStatus, 'everyMs' | 'deadlineMs'>): number {
  return Math.max(choreMsMin, 2 * everyMs + deadlineMs)
}
