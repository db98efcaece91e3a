import { object, type ObjectContext } from '@restatedev/restate-sdk'
import type { Context } from '../../context.ts'
import type { HandlersOf } from '../../infra/engine/job-factory.ts'
import { retryPolicy, runStep } from '../../infra/engine/retry-policy.ts'
import { metricsService, type MetricsJobs } from './jobs.ts'
import { pullOnServer } from './pull-on-server.ts'

/** One short run at a time per connection. A long pull takes several runs; PostgreSQL stores when the next one is due. */
export function pullWorkflow(ctx: Context) {
  const handlers: HandlersOf<MetricsJobs, ObjectContext> = {
    pull: (run, pull) => runStep(run, 'pull', () => pullOnServer(ctx, pull)),
  }
  return object({ name: metricsService, handlers, options: { retryPolicy } })
}
