import { sql } from 'kysely'
import { idArray } from '../../infra/db/id-array.ts'
import type { ChannelRef } from './jobs.ts'

/** Channel references as a table `t` to join with: one statement for a whole batch. */
export const channelRefRows = (refs: readonly ChannelRef[]) => sql`
  unnest(
    ${idArray(refs, (ref) => ref.workspaceId)}::text[],
    ${idArray(refs, (ref) => ref.channelId)}::text[],
    ${refs.map((ref) => ref.generation)}::int[]
  ) as t (workspace_id, id, generation)`

/** The channel `c` is the one that `t` names, and has not moved on to a later generation. */
export const isCurrent = sql`c.workspace_id = t.workspace_id and c.id = t.id and c.generation = t.generation`
