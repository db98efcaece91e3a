import type { EventName } from '@carillon/contract'
import { sql, type Selectable } from 'kysely'
import type { Tx } from '../../../infra/db/db.ts'
import type { EventLogTable } from '../../../infra/db/tables.ts'
import { type DomainEvent, lockOrder } from '../../events/outbox.store.ts'

type LoggedRow = Selectable<EventLogTable>

/**
 * Adds events to the logs of their workspaces. A workspace that was deleted meanwhile gets no row. The lock is held until the commit, and the
 * newest id is read after it was granted, so that ids become visible in their order: a reader that has seen one has missed none below it.
 */
export async function insertLoggedEvents(tx: Tx, events: readonly Required<DomainEvent>[]): Promise<void> {
  if (events.length === 0) return
  await lockOrder(tx)
  const column = <K extends keyof DomainEvent>(name: K) => events.map((event) => event[name])
  await sql`
    with start as materialized (
      select greatest(
        (extract(epoch from clock_timestamp()) * 1000000)::bigint,
        (select coalesce(max(id), 0) from event_log)
      ) as id
    )
    insert into event_log (workspace_id, id, event, post_id, channel_id, connection_id, at)
    select t.workspace_id, start.id + t.n, t.event, t.post_id, t.channel_id, t.connection_id, t.at
    from start
    cross join unnest(
      ${column('workspaceId')}::text[],
      ${column('event')}::text[],
      ${column('postId')}::text[],
      ${column('channelId')}::text[],
      ${column('connectionId')}::text[],
      ${events.map(({ atMs }) => new Date(atMs))}::timestamptz[]
    ) with ordinality as t (workspace_id, event, post_id, channel_id, connection_id, at, n)
    join workspace w on w.id = t.workspace_id`.execute(tx)
}

type LogFilter = {
  workspaceId: string
  events: EventName[] | null
  from: Date | null
  /** Exclusive. */
  to: Date | null
  /** Only entries with a greater id. */
  after: string | null
  limit: number
}

/** An event is logged after it happened. The clocks of two machines differ by less than this. */
const clockMarginMs = 3_600_000

export async function findLoggedEvents(tx: Tx, filter: LogFilter): Promise<LoggedRow[]> {
  let query = tx.selectFrom('event_log').where('workspace_id', '=', filter.workspaceId)
  if (filter.after !== null) query = query.where('id', '>', filter.after)
  if (filter.events) query = query.where('event', 'in', filter.events)
  if (filter.from) {
    // By the id too, which the index has: otherwise all entries before would be read.
    const first = (filter.from.getTime() - clockMarginMs) * 1000
    query = query.where('at', '>=', filter.from).where('id', '>=', String(first))
  }
  if (filter.to) query = query.where('at', '<', filter.to)
  return query.selectAll().orderBy('id').limit(filter.limit).execute()
}
