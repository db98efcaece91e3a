import { sql } from 'kysely'
import { idArray } from '../db/id-array.ts'
import type { Ticket } from './errands.ts'

/** Tickets as a table `t` to join with: one statement for a whole batch. */
export const ticketRows = (tickets: readonly Ticket[]) =>
  sql`unnest(${idArray(tickets, (t) => t.workspaceId)}::text[], ${idArray(tickets, (t) => t.channelId)}::text[], ${tickets.map((t) => t.generation)}::int[]) as t (workspace_id, id, generation)`
