import { service, type Context as Run } from '@restatedev/restate-sdk'
import type { Context } from '../../context.ts'
import type { HandlersOf } from '../../infra/engine/job-factory.ts'
import { retryPolicy, runStep } from '../../infra/engine/retry-policy.ts'
import { deliverAll } from './deliver.ts'
import { webhooksService, type WebhookJobs } from './jobs.ts'

/**
 * One run for the deliveries of a webhook that are due together; a failed attempt enqueues the next one of its delivery with a delay. The state of a
 * delivery is in PostgreSQL, not in the run.
 */
export function deliverWorkflow(ctx: Context) {
  const handlers: HandlersOf<WebhookJobs, Run> = {
    deliver: (run, ref) => runStep(run, 'deliver', () => deliverAll(ctx, [ref])),
    deliverAll: (run, refs) => runStep(run, 'deliver', () => deliverAll(ctx, refs)),
  }
  return service({ name: webhooksService, handlers, options: { retryPolicy } })
}
