import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Tx } from '../../infra/db/db.ts'
import type { QueuePlaceTable, QueueTable } from '../../infra/db/tables.ts'

export type QueueRow = Selectable<QueueTable>
export type QueueKey = { workspaceId: string; id: string }
/** A queue with the time zone that holds for it. */
export type ZonedQueue = QueueRow & { zone: string }

export async function insertQueue(tx: Tx, row: Insertable<QueueTable>): Promise<QueueRow> {
  return tx.insertInto('queue').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function listQueueRows(tx: Tx, workspaceId: string): Promise<QueueRow[]> {
  return tx.selectFrom('queue').where('workspace_id', '=', workspaceId).selectAll().orderBy('id').execute()
}

/**
 * The queue with this id, or the oldest one for `default`. `share`: it does not change until the transaction ends, and others may take slots of
 * it at the same time. `update`: nobody else takes a slot until then.
 */
export async function findQueue(
  tx: Tx,
  { workspaceId, id }: QueueKey,
  lock: 'share' | 'update' | null = null,
): Promise<ZonedQueue | undefined> {
  let query = tx
    .selectFrom('queue')
    .innerJoin('workspace', 'workspace.id', 'queue.workspace_id')
    .where('queue.workspace_id', '=', workspaceId)
    .selectAll('queue')
    .select(({ fn }) => fn.coalesce('queue.timezone', 'workspace.timezone').as('zone'))
    .orderBy('queue.id')
    .limit(1)
  if (id !== 'default') query = query.where('queue.id', '=', id)
  if (lock === 'share') query = query.forShare('queue')
  if (lock === 'update') query = query.forUpdate('queue')
  return query.executeTakeFirst()
}

export async function updateQueue(tx: Tx, { workspaceId, id }: QueueKey, change: Updateable<QueueTable>): Promise<QueueRow> {
  return tx
    .updateTable('queue')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .set(change)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The posts in its slots stay scheduled. */
export async function deleteQueue(tx: Tx, { workspaceId, id }: QueueKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('queue')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A post that is scheduled for one of these instants. `isPlaced`: in a slot of this queue, and not by hand or by another queue. */
export type Occupant = { atMs: number; postId: string; isPlaced: boolean; slugs: string[] }

export async function listOccupants(tx: Tx, { workspaceId, id }: QueueKey, instants: readonly number[]): Promise<Occupant[]> {
  const { rows } = await sql<{ at: Date; postId: string; isPlaced: boolean; slugs: string[] }>`
    select
      p.scheduled_at as at,
      p.id as "postId",
      exists (
        select
        from queue_place q
        where q.workspace_id = p.workspace_id and q.post_id = p.id and q.queue_id = ${id}
      ) as "isPlaced",
      array(
        select c.connection_slug
        from channel c
        where c.workspace_id = p.workspace_id and c.post_id = p.id and c.state <> 'canceled'
      ) as slugs
    from post p
    where p.workspace_id = ${workspaceId}
      and p.status = 'scheduled'
      and case when p.scheduled_at is null then p.created_at else p.scheduled_at end = any(${instants.map((at) => new Date(at))}::timestamptz[])
    order by p.scheduled_at, p.id`.execute(tx)
  return rows.map(({ at, ...occupant }) => ({ ...occupant, atMs: at.getTime() }))
}

/** False if another post has the slot. A request that wants the slot at the same time waits here until this one has ended. */
export async function insertPlace(tx: Tx, place: Insertable<QueuePlaceTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('queue_place')
    .values(place)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function deletePlaces(tx: Tx, workspaceId: string, postId: string): Promise<void> {
  await tx.deleteFrom('queue_place').where('workspace_id', '=', workspaceId).where('post_id', '=', postId).execute()
}
