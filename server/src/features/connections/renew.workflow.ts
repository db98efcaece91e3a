import { object, type Context as Run, type ObjectContext } from '@restatedev/restate-sdk'
import type { Context } from '../../context.ts'
import type { HandlersOf } from '../../infra/engine/job-factory.ts'
import { retryPolicy } from '../../infra/engine/retry-policy.ts'
import { connectionJobKey, connectionService, type ConnectionJobs, type ConnectionKey } from './jobs.ts'
import { renewToken } from './renew-token.ts'

/** One run at a time per connection: fifty posts that find the same expired token cause one renewal, and the others use its result. */
export function renewWorkflow(ctx: Context) {
  const handlers: HandlersOf<ConnectionJobs, ObjectContext> = {
    renew: async (run, { seenAtMs }) => {
      const [workspaceId = '', id = ''] = run.key.split('/')
      await run.run('renew', () => renewToken(ctx, { workspaceId, id }, seenAtMs))
    },
  }
  return object({ name: connectionService, handlers, options: { retryPolicy } })
}

export function renewalOf(run: Run, connection: ConnectionKey) {
  return run.objectClient<ReturnType<typeof renewWorkflow>>({ name: connectionService }, connectionJobKey(connection))
}
