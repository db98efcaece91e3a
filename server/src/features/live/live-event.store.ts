import { sql } from 'kysely'
import { type Db, type Tx, runStatement } from '../../infra/db/db.ts'
import { notify } from '../../infra/db/notify.store.ts'
import { orderLock } from '../events/outbox.store.ts'
import type { LiveEventName, NewLiveEvent } from './group-live-events.ts'

/** An event as streams send it. Ids are positions that only grow. */
export type LiveEvent = { id: number; workspaceId: string; event: LiveEventName; data: string }

/** Streams of all processes listen to this. */
export const liveChannel = 'carillon_live'

const insertText = `
  insert into live_event (workspace_id, event, data)
  select t.workspace_id, t.event, t.data
  from (${orderLock}) as in_order
  cross join unnest($1::text[], $2::text[], $3::text[]) as t (workspace_id, event, data)
  join workspace w on w.id = t.workspace_id`

/**
 * Must be the last statement of its transaction: the lock is held until the commit and makes ids visible in their order. A workspace that
 * was deleted meanwhile gets no row.
 */
export async function insertLiveEvents(tx: Tx, events: readonly NewLiveEvent[]): Promise<void> {
  if (events.length === 0) return
  const columns = [events.map(({ workspaceId }) => workspaceId), events.map(({ event }) => event), events.map(({ data }) => data)]
  await runStatement(tx, insertText, columns)
}

export function notifyStreams(system: Db): Promise<void> {
  return notify(system, liveChannel)
}

type Row = Omit<LiveEvent, 'id'> & { id: string }

const readText = `
  select id, workspace_id as "workspaceId", event, data
  from live_event`

/** New events of all workspaces: a process reads them once and shares them between its streams. */
export async function findNewLiveEvents(system: Db, afterId: number, limit: number): Promise<LiveEvent[]> {
  const text = `${readText}
  where id > $1
  order by id
  limit $2`
  return (await runStatement<Row>(system, text, [afterId, limit])).map(readRow)
}

export type LiveRange = { oldest: number | null; newest: number | null }

/** The first and the last position that is stored. */
export async function findLiveRange(system: Db): Promise<LiveRange> {
  const { rows } = await sql<{ oldest: string | null; newest: string | null }>`
    select
      (select id from live_event order by id limit 1) as oldest,
      (select id from live_event order by id desc limit 1) as newest`.execute(system)
  const { oldest = null, newest = null } = rows[0] ?? {}
  return { oldest: oldest === null ? null : Number(oldest), newest: newest === null ? null : Number(newest) }
}

type Missed = { workspaceId: string; afterId: number; limit: number }

/** The events of one workspace that a stream has not sent yet. */
export async function findMissedLiveEvents(system: Db, { workspaceId, afterId, limit }: Missed): Promise<LiveEvent[]> {
  const text = `${readText}
  where workspace_id = $1 and id > $2
  order by id
  limit $3`
  return (await runStatement<Row>(system, text, [workspaceId, afterId, limit])).map(readRow)
}

function readRow(row: Row): LiveEvent {
  return { ...row, id: Number(row.id) }
}

const batchSize = 5000

/** Deletes the oldest rows first, so that what remains has no gaps. True when there may be more. */
export async function deleteOldLiveEvents(system: Db, keptMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from live_event
    where id in (
      select id
      from live_event
      where at < now() - make_interval(secs => ${keptMs / 1000})
      order by id
      limit ${batchSize}
    )`.execute(system)
  return Number(numAffectedRows ?? 0) === batchSize
}
