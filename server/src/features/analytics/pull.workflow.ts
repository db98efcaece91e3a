import { object, type ObjectContext } from '@restatedev/restate-sdk'
import type { Context } from '../../context.ts'
import type { HandlersOf } from '../../infra/engine/job-factory.ts'
import { retryPolicy } from '../../infra/engine/retry-policy.ts'
import { renewalOf } from '../connections/renew.workflow.ts'
import { metricsService, type MetricsJobs } from './jobs.ts'
import { pullAfterRenewal } from './pull-after-renewal.ts'
import { pullMetrics } from './pull-metrics.ts'

/** One short run at a time per connection. A long pull takes several runs; PostgreSQL stores when the next one is due. */
export function pullWorkflow(ctx: Context) {
  const handlers: HandlersOf<MetricsJobs, ObjectContext> = {
    pull: async (run, ref) => {
      const request = await run.run('pull', () => pullMetrics(ctx, ref, { isRenewed: false }))
      if (!request) return
      const renewal = await renewalOf(run, { workspaceId: ref.workspaceId, id: ref.connectionId }).renew(request)
      await run.run('pull again', () => pullAfterRenewal(ctx, ref, renewal))
    },
  }
  return object({ name: metricsService, handlers, options: { retryPolicy } })
}
