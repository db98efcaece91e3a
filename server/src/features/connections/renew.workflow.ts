import { object, type Context as Run, type ObjectContext } from '@restatedev/restate-sdk'
import type { Context } from '../../context.ts'
import type { HandlersOf } from '../../infra/engine/job-factory.ts'
import { retryPolicy } from '../../infra/engine/retry-policy.ts'
import { connectionJobKey, connectionService, type ConnectionJobs, type ConnectionKey, type ConnectionResults } from './jobs.ts'
import { renewToken, storeTokenAnswer } from './renew-token.ts'

/** One run at a time per connection: fifty posts that find the same expired token cause one renewal, and the others use its result. */
export function renewWorkflow(ctx: Context) {
  const handlers: HandlersOf<ConnectionJobs, ObjectContext, ConnectionResults> = {
    renew: (run, { seenAtMs }) => renewToken(ctx, connectionOf(run), { seenAtMs, step: (name, work) => run.run(name, work) }),
    store: async (run, answer) => {
      await run.run('store', () => storeTokenAnswer(ctx, connectionOf(run), answer))
    },
  }
  return object({ name: connectionService, handlers, options: { retryPolicy } })
}

function connectionOf({ key }: ObjectContext): ConnectionKey {
  const [workspaceId = '', id = ''] = key.split('/')
  return { workspaceId, id }
}

export function renewalOf(run: Run, connection: ConnectionKey) {
  return run.objectClient<ReturnType<typeof renewWorkflow>>({ name: connectionService }, connectionJobKey(connection))
}
