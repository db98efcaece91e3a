import type { EventName } from '@carillon/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Tx, runStatement } from '../../infra/db/db.ts'

export type DomainEvent = {
  workspaceId: string
  event: EventName
  postId?: string | null
  channelId?: string | null
  connectionId?: string | null
  /** The person who caused it, if it was one. */
  personId?: string | null
  atMs: number
}

/** Changes of which only open pages are told. No webhook can subscribe to them. */
const changeNames = ['post.changed', 'media.changed', 'connection.changed', 'workspace.changed', 'notice.changed'] as const
export type ChangeName = (typeof changeNames)[number]

export type RecordedChange = {
  workspaceId: string
  event: ChangeName
  /** Null: any number of posts or media items may have changed. */
  subjectId: string | null
  personId: string | null
  atMs: number
}

/** Records what happened, in the transaction in which it happened. Webhooks, mail and live updates are derived from these rows alone. */
export async function recordEvents(tx: Db | Tx, events: readonly (DomainEvent | RecordedChange)[]): Promise<void> {
  if (events.length === 0) return
  const column = (name: 'postId' | 'channelId' | 'connectionId' | 'subjectId' | 'personId') =>
    events.map((event: Partial<Record<typeof name, string | null>>) => event[name] ?? null)
  await runStatement(tx, insertText, [
    events.map(({ workspaceId }) => workspaceId),
    events.map(({ event }) => event),
    column('postId'),
    column('channelId'),
    column('connectionId'),
    column('subjectId'),
    column('personId'),
    events.map(({ atMs }) => new Date(atMs)),
  ])
}

const insertText = `
  insert into outbox_event (workspace_id, event, post_id, channel_id, connection_id, subject_id, person_id, at)
  select *
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])`

export type TakenEvents = { events: Required<DomainEvent>[]; changes: RecordedChange[] }

type Row = Required<DomainEvent> & { id: string; event: EventName | ChangeName; subjectId: string | null; at: Date }

/** The outbox at one moment, as far as it is needed to know where it begins. */
export type OutboxView = {
  /** The first event that is visible, also if another relay is taking it. */
  first: number | null
  /** The newest id that was given out so far. */
  newestId: number
  /** Of the snapshot that `first` was read in: all transactions below the first number have ended, none from the second on has begun. */
  xmin: bigint
  xmax: bigint
}

type ViewRow = { first: string | null; newestId: string | null; xmin: string; xmax: string }

/** One statement, so that `first` and the numbers of transactions are of the same snapshot. */
export function viewQuery(after: number): RawBuilder<ViewRow> {
  return sql<ViewRow>`
    select
      (select id from outbox_event where id > ${after}::bigint order by id limit 1) as first,
      pg_sequence_last_value(pg_get_serial_sequence('outbox_event', 'id')) as "newestId",
      pg_snapshot_xmin(pg_current_snapshot())::text as xmin,
      pg_snapshot_xmax(pg_current_snapshot())::text as xmax`
}

/** Looks at the events of all workspaces with an id above `after`. */
export async function viewOutbox(system: Db, after: number): Promise<OutboxView> {
  const { rows } = await viewQuery(after).execute(system)
  const { first = null, newestId = null, xmin = '0', xmax = '0' } = rows[0] ?? {}
  return {
    first: first === null ? null : Number(first),
    newestId: Number(newestId ?? 0),
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
  }
}

/** Takes the oldest events from this id on. They are deleted when the transaction that turns them into deliveries commits. */
export async function takeEvents(tx: Tx, { from, limit }: { from: number; limit: number }): Promise<TakenEvents> {
  const { rows } = await sql<Row>`
    with taken as (
      select id
      from outbox_event
      where id >= ${from}::bigint
      order by id
      limit ${limit}
      for update skip locked
    )
    delete from outbox_event o
    using taken
    where o.id = taken.id
    returning
      o.id,
      o.workspace_id as "workspaceId",
      o.event,
      o.post_id as "postId",
      o.channel_id as "channelId",
      o.connection_id as "connectionId",
      o.subject_id as "subjectId",
      o.person_id as "personId",
      o.at
  `.execute(tx)
  const events: Required<DomainEvent>[] = []
  const changes: RecordedChange[] = []
  // Sorted by id, not by time: events of one transaction share one time and must keep their order.
  for (const row of rows.toSorted((a, b) => Number(a.id) - Number(b.id))) {
    const { event, at, ...rest } = row
    if (isChange(event)) changes.push({ ...rest, event, atMs: at.getTime() })
    else events.push({ ...rest, event, atMs: at.getTime() })
  }
  return { events, changes }
}

function isChange(name: EventName | ChangeName): name is ChangeName {
  return (changeNames as readonly string[]).includes(name)
}

export async function deleteEvents(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('outbox_event').where('workspace_id', '=', workspaceId).execute()
}

/** For changes by the service that have no event of their own: open pages load these posts again. */
export function recordPostChanges(
  tx: Tx,
  posts: readonly { workspaceId: string; postId: string }[],
  atMs: number,
): Promise<void> {
  return recordEvents(
    tx,
    posts.map(({ workspaceId, postId }) => ({ workspaceId, event: 'post.changed', subjectId: postId, personId: null, atMs })),
  )
}

/** Until the commit, no other transaction adds live events or entries of the event log: their ids become visible in their order. */
export const orderLock = 'select pg_advisory_xact_lock(7241901)'

export async function lockOrder(tx: Tx): Promise<void> {
  await sql.raw(orderLock).execute(tx)
}
