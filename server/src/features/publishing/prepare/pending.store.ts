import type { Staged } from '@carillon/connectors'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../infra/db/db.ts'
import { endOf, mayStart } from '../../posts/post-status.store.ts'
import type { PendingMedia, PostKey } from '../../posts/post.store.ts'
import { channelRefRows, isCurrent } from '../channel-ref-rows.store.ts'
import type { ChannelRef } from '../channel-ref.ts'

export async function findPending(
  system: Db,
  { workspaceId, id }: PostKey,
): Promise<{ medias: PendingMedia[]; isFetching: boolean } | null> {
  const row = await system
    .selectFrom('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('pending_error', 'is', null)
    .select(['pending_medias', sql<boolean>`coalesce(fetching_until > now(), false)`.as('isFetching')])
    .executeTakeFirst()
  return row?.pending_medias ? { medias: row.pending_medias, isFetching: row.isFetching } : null
}

/** A process fetches the files, after the run that wanted them has ended. Until then, no other one does. */
export async function keepFetching(system: Db, { workspaceId, id }: PostKey, forMs: number): Promise<void> {
  await system
    .updateTable('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('pending_medias', 'is not', null)
    .set({ fetching_until: sql<Date>`now() + make_interval(secs => ${forMs / 1000})` })
    .execute()
}

/**
 * Fetched, or not to be had: then the addresses stay, for a retry to try them again. False if the post no longer waits for these files: another
 * process was faster, or somebody gave the scheduled post other files.
 */
export async function finishPending(
  tx: Tx,
  { workspaceId, id }: PostKey,
  { files, error }: { files: readonly PendingMedia[]; error: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('post')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where(sql<boolean>`pending_medias = ${JSON.stringify(files)}::jsonb`)
    .set({ fetching_until: null, pending_error: error, ...(error === null && { pending_medias: null }) })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Stores what was staged and returns the channel to the schedule, prepared, so that it is sent together with others that are due at the same
 * time. False when the channel has moved on meanwhile.
 */
export async function savePrepared(system: Db, ref: ChannelRef, staged: Staged | undefined): Promise<boolean> {
  const value = staged === undefined ? null : JSON.stringify(staged ?? {})
  const { rows } = await sql`
    update part c
    set staged = coalesce(${value}::jsonb, c.staged),
      staged_at = case when ${value}::jsonb is null then c.staged_at else now() end,
      not_before = null, waiting_reason = null, error = null, state = ${endOf('release')}, recover_at = null, prepared = true,
      generation = c.generation + 1
    from ${channelRefRows([ref])}
    where ${isCurrent} and ${mayStart('release')}
    returning 1`.execute(system)
  return rows.length > 0
}

/** Removes warnings that turned out not to be true. */
export async function removeWarnings(system: Db, ref: ChannelRef, warnings: readonly string[]): Promise<void> {
  if (warnings.length === 0) return
  await sql`
    update part c
    set warnings = (
      select coalesce(jsonb_agg(w.value order by w.position), '[]'::jsonb)
      from jsonb_array_elements(c.warnings) with ordinality as w (value, position)
      where w.value #>> '{}' <> all(${warnings}::text[])
    )
    from ${channelRefRows([ref])}
    where ${isCurrent}`.execute(system)
}
