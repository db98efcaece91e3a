import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { isLeaving, openEpoch } from '../../infra/cell/cell.store.ts'
import type { Db, Tx } from '../../infra/db/db.ts'
import type { SeriesDateTable, SeriesTable } from '../../infra/db/tables.ts'

export type SeriesRow = Selectable<SeriesTable>
export type SeriesDateRow = Selectable<SeriesDateTable>
export type SeriesKey = { workspaceId: string; id: string }

export async function insertSeries(tx: Tx, row: Insertable<SeriesTable>): Promise<SeriesRow> {
  return tx.insertInto('series').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function listSeriesRows(tx: Tx, workspaceId: string): Promise<SeriesRow[]> {
  return tx.selectFrom('series').where('workspace_id', '=', workspaceId).selectAll().orderBy('id', 'desc').execute()
}

/** `update`: nobody else changes it or makes posts of it until the transaction ends. `skip`: undefined if somebody does so now. */
export async function findSeries(
  tx: Tx,
  { workspaceId, id }: SeriesKey,
  lock: 'update' | 'skip' | null = null,
): Promise<SeriesRow | undefined> {
  const query = tx.selectFrom('series').where('workspace_id', '=', workspaceId).where('id', '=', id).selectAll()
  if (lock === null) return query.executeTakeFirst()
  return (lock === 'skip' ? query.forUpdate().skipLocked() : query.forUpdate()).executeTakeFirst()
}

export async function updateSeries(tx: Tx | Db, { workspaceId, id }: SeriesKey, change: Updateable<SeriesTable>): Promise<void> {
  await tx.updateTable('series').where('workspace_id', '=', workspaceId).where('id', '=', id).set(change).execute()
}

export async function deleteSeries(tx: Tx, { workspaceId, id }: SeriesKey): Promise<void> {
  await tx.deleteFrom('series').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Across all workspaces: a worker has work here. None while the database is fenced, or for a workspace that leaves it. */
export async function listDueSeries(
  system: Db,
  now: Date,
  limit: number,
): Promise<Pick<SeriesRow, 'workspace_id' | 'id' | 'person_id' | 'api_key_id'>[]> {
  return system
    .selectFrom('series')
    .where('look_at', '<=', now)
    .where(({ not }) => not(isLeaving('series.workspace_id')))
    .where(sql<boolean>`${openEpoch} is not null`)
    .select(['workspace_id', 'id', 'person_id', 'api_key_id'])
    .orderBy('look_at')
    .limit(limit)
    .execute()
}

/** The decided dates that are later than an instant or a day, in their order. */
export async function listDates(
  tx: Tx,
  { workspaceId, id }: SeriesKey,
  { at, date }: { at: Date; date: string },
): Promise<SeriesDateRow[]> {
  return tx
    .selectFrom('series_date')
    .where('workspace_id', '=', workspaceId)
    .where('series_id', '=', id)
    .where(({ or, eb }) => or([eb('at', '>', at), eb('date', '>', date)]))
    .selectAll()
    .orderBy('date')
    .execute()
}

/** The latest dates that passed, latest first. */
export async function listPassedDates(
  tx: Tx,
  { workspaceId, id }: SeriesKey,
  now: Date,
  limit: number,
): Promise<SeriesDateRow[]> {
  return tx
    .selectFrom('series_date')
    .where('workspace_id', '=', workspaceId)
    .where('series_id', '=', id)
    .where('at', '<=', now)
    .selectAll()
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
}

/** The dates that are posts which are not finished, and whether anything of the post may be sent already. */
export async function listOpenPosts(
  tx: Tx,
  { workspaceId, id }: SeriesKey,
): Promise<(SeriesDateRow & { post_id: string; status: string })[]> {
  const { rows } = await sql<SeriesDateRow & { post_id: string; status: string }>`
    select d.*, p.status
    from series_date d
    join post p on p.workspace_id = d.workspace_id and p.id = d.post_id
    where d.workspace_id = ${workspaceId}
      and d.series_id = ${id}
      and p.status in ('scheduled', 'queued', 'publishing')
    order by d.date`.execute(tx)
  return rows
}

/** False if the date is decided already: no second post of it can be made. */
export async function insertDate(tx: Tx, row: Insertable<SeriesDateTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('series_date')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'series_id', 'date']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateDate(
  tx: Tx,
  { workspaceId, id }: SeriesKey,
  date: string,
  change: Updateable<SeriesDateTable>,
): Promise<void> {
  await tx
    .updateTable('series_date')
    .where('workspace_id', '=', workspaceId)
    .where('series_id', '=', id)
    .where('date', '=', date)
    .set(change)
    .execute()
}

export async function deleteDates(tx: Tx, { workspaceId, id }: SeriesKey, dates: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('series_date')
    .where('workspace_id', '=', workspaceId)
    .where('series_id', '=', id)
    .where('date', '=', sql<string>`any(${dates})`)
    .execute()
}

/** Runs work that may be refused, and undoes what it wrote if it was. The transaction goes on either way. */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint series_post`.execute(tx)
  try {
    return await work()
  } catch (error) {
    await sql`rollback to savepoint series_post`.execute(tx)
    throw error
  } finally {
    await sql`release savepoint series_post`.execute(tx).catch(() => {})
  }
}
