import type { EventName } from '@carillon/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/db.ts'
import { runStatement } from '../db/run-statement.ts'

export type Happening = {
  workspaceId: string
  event: EventName
  postId?: string | null
  channelId?: string | null
  connectionId?: string | null
  atMs: number
}

export async function insertEvents(tx: Db | Tx, events: readonly Happening[]): Promise<void> {
  if (events.length === 0) return
  const column = <K extends keyof Happening>(name: K) => events.map((event) => event[name] ?? null)
  const columns = [column('workspaceId'), column('event'), column('postId'), column('channelId'), column('connectionId')]
  await runStatement(tx, insertText, [...columns, events.map((event) => new Date(event.atMs))])
}

const insertText = `insert into outbox_event (workspace_id, event, post_id, channel_id, connection_id, at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`

/** Takes the oldest happenings; they are gone once the transaction commits with what was made of them. */
export async function takeEvents(tx: Tx, limit: number): Promise<Required<Happening>[]> {
  const { rows } = await sql<Required<Happening> & { id: string; at: Date }>`
    with taken as (select id from outbox_event order by id limit ${limit} for update skip locked)
    delete from outbox_event o using taken where o.id = taken.id
    returning o.id, o.workspace_id as "workspaceId", o.event, o.post_id as "postId", o.channel_id as "channelId", o.connection_id as "connectionId", o.at`.execute(
    tx,
  )
  // Not by time: what one transaction notes has one time, and is told in the order it was noted.
  return rows.toSorted((a, b) => Number(a.id) - Number(b.id)).map((row) => ({ ...row, atMs: row.at.getTime() }))
}

export async function deleteEvents(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('outbox_event').where('workspace_id', '=', workspaceId).execute()
}
