import { sql } from 'kysely'
import { idArray } from '../../infra/db/id-array.ts'
import type { ChannelRef } from './jobs.ts'

/** Tickets as a table `t` to join with: one statement for a whole batch. */
export const channelRefRows = (refs: readonly ChannelRef[]) =>
  sql`unnest(${idArray(refs, (t) => t.workspaceId)}::text[], ${idArray(refs, (t) => t.channelId)}::text[], ${refs.map((t) => t.generation)}::int[]) as t (workspace_id, id, generation)`
