import { object, type ObjectContext } from '@restatedev/restate-sdk'
import { renewalOf } from '../connections/renew.workflow.ts'
import type { Context } from '../context.ts'
import { metricsService, type Ticket } from './errands.ts'
import { pullMetrics } from './pull-metrics.ts'

/** One run at a time per connection, short ones: a long pull is several, and when the next one comes is in PostgreSQL. */
export function pullWorkflow(ctx: Context) {
  return object({
    name: metricsService,
    handlers: {
      pull: async (run: ObjectContext, ticket: Ticket): Promise<void> => {
        const need = await run.run('pull', () => pullMetrics(ctx, ticket, { isRenewed: false }))
        if (!need) return
        await renewalOf(run, { workspaceId: ticket.workspaceId, id: ticket.connectionId }).renew(need)
        await run.run('pull again', () => pullMetrics(ctx, ticket, { isRenewed: true }))
      },
    },
  })
}
