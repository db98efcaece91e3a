import type { EventName } from '@carillon/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../infra/db/db.ts'
import { runStatement } from '../../infra/db/run-statement.ts'

export type DomainEvent = {
  workspaceId: string
  event: EventName
  postId?: string | null
  channelId?: string | null
  connectionId?: string | null
  atMs: number
}

/** Records what happened, in the transaction in which it happened. Webhooks, mail and live updates are derived from these rows alone. */
export async function recordEvents(tx: Db | Tx, events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return
  const column = <K extends keyof DomainEvent>(name: K) => events.map((event) => event[name] ?? null)
  const columns = [column('workspaceId'), column('event'), column('postId'), column('channelId'), column('connectionId')]
  await runStatement(tx, insertText, [...columns, events.map((event) => new Date(event.atMs))])
}

const insertText = `
  insert into outbox_event (workspace_id, event, post_id, channel_id, connection_id, at)
  select *
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`

/** Takes the oldest events. They are deleted when the transaction that turns them into deliveries commits. */
export async function takeEvents(tx: Tx, limit: number): Promise<Required<DomainEvent>[]> {
  const { rows } = await sql<Required<DomainEvent> & { id: string; at: Date }>`
    with taken as (
      select id
      from outbox_event
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
      o.at
  `.execute(tx)
  // Sorted by id, not by time: events of one transaction share one time and must keep their order.
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id)).map((row) => ({ ...row, atMs: row.at.getTime() }))
}

export async function deleteEvents(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('outbox_event').where('workspace_id', '=', workspaceId).execute()
}
