import { service, type Context as Run } from '@restatedev/restate-sdk'
import type { Context } from '../../context.ts'
import type { HandlersOf } from '../../infra/engine/job-factory.ts'
import { retryPolicy } from '../../infra/engine/retry-policy.ts'
import { runStep } from '../../infra/engine/run-step.ts'
import { deliver } from './deliver.ts'
import { webhooksService, type WebhookJobs } from './jobs.ts'

/** One run per attempt; a failed attempt enqueues the next one with a delay. The state of a delivery is in PostgreSQL, not in the run. */
export function deliverWorkflow(ctx: Context) {
  const handlers: HandlersOf<WebhookJobs, Run> = {
    deliver: (run, ref) => runStep(run, 'deliver', () => deliver(ctx, ref)),
  }
  return service({ name: webhooksService, handlers, options: { retryPolicy } })
}
