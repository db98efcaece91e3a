import { sql } from 'kysely'
import type { Ticket } from './errands.ts'

/** Tickets as a table `t` to join with: one statement for a whole batch. */
export const ticketRows = (tickets: readonly Ticket[]) =>
  sql`unnest(${tickets.map((t) => t.workspaceId)}::text[], ${tickets.map((t) => t.channelId)}::text[], ${tickets.map((t) => t.generation)}::int[]) as t (workspace_id, id, generation)`
