import { object, type Context as Run, type ObjectContext } from '@restatedev/restate-sdk'
import type { Context } from '../context.ts'
import { renewToken } from './renew-token.ts'

export type ConnectionKey = { workspaceId: string; id: string }
type Need = { seenAtMs: number }

/** One run at a time per connection: fifty posts that meet the same dead token cause one renewal, and the others find it done. */
export function renewWorkflow(ctx: Context) {
  return object({
    name: 'connection',
    handlers: {
      renew: async (run: ObjectContext, { seenAtMs }: Need): Promise<void> => {
        const [workspaceId = '', id = ''] = run.key.split('/')
        await run.run('renew', () => renewToken(ctx, { workspaceId, id }, seenAtMs))
      },
    },
  })
}

export function renewalOf(run: Run, { workspaceId, id }: ConnectionKey) {
  return run.objectClient<ReturnType<typeof renewWorkflow>>({ name: 'connection' }, `${workspaceId}/${id}`)
}
