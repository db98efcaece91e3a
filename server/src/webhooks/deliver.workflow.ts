import { service, type Context as Run } from '@restatedev/restate-sdk'
import type { Context } from '../context.ts'
import { journaled } from '../engine/journal.ts'
import { deliver } from './deliver.ts'
import { webhooksService, type Ticket } from './errands.ts'

/** One run an attempt; a failed one sends the next, delayed. Where each delivery stands is in PostgreSQL; a run carries ids. */
export function deliverWorkflow(ctx: Context) {
  return service({
    name: webhooksService,
    handlers: {
      deliver: (run: Run, ticket: Ticket) => journaled(run, 'deliver', () => deliver(ctx, ticket)),
    },
  })
}
