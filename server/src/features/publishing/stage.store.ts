import type { Staged } from '@carillon/connectors'
import { sql } from 'kysely'
import type { Db } from '../../infra/db/db.ts'
import type { ChannelRef } from './jobs.ts'

/**
 * The channel is ready for its time: what was staged is kept, and it goes back to the schedule, from where it travels with the others that
 * are due when it is. False when it has moved on meanwhile.
 */
export async function savePrepared(system: Db, ref: ChannelRef, staged: Staged | undefined): Promise<boolean> {
  const { numUpdatedRows } = await system
    .updateTable('channel')
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.channelId)
    .where('generation', '=', ref.generation)
    .where('state', '=', 'dispatched')
    .set({
      ...(staged !== undefined && { staged: JSON.stringify(staged ?? {}) }),
      state: 'scheduled',
      recover_at: null,
      prepared: true,
      generation: sql<number>`generation + 1`,
    })
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
