import { sql } from 'kysely'
import { cellEpoch } from '../../infra/cell/cell.store.ts'
import { idArray } from '../../infra/db/sql-parts.ts'
import type { ChannelRef } from './channel-ref.ts'

/** Channel references as a table `t` to join with: one statement for a whole batch. */
export const channelRefRows = (refs: readonly ChannelRef[]) => sql`
  unnest(
    ${idArray(refs, (ref) => ref.workspaceId)}::text[],
    ${idArray(refs, (ref) => ref.channelId)}::text[],
    ${refs.map((ref) => ref.generation)}::int[],
    ${refs.map((ref) => ref.epoch)}::int[]
  ) as t (workspace_id, id, generation, epoch)`

/** The channel `c` is the one that `t` names, has not moved on to a later generation, and the database was not restored since. */
export const isCurrent = sql`
  c.workspace_id = t.workspace_id and c.id = t.id and c.generation = t.generation and t.epoch = ${cellEpoch}`
