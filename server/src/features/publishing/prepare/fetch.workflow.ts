import { object, type Context as Run, type ObjectContext } from '@restatedev/restate-sdk'
import type { Context } from '../../../context.ts'
import { filesService } from '../jobs.ts'
import { fetchPending } from './fetch-pending.ts'

type PostKey = { workspaceId: string; id: string }

/** One run at a time per post: its channels all wait for the same files, which are fetched once. */
export function fetchWorkflow(ctx: Context) {
  return object({
    name: filesService,
    handlers: {
      /** False if the files are still being fetched when this ends. */
      fetch: (run: ObjectContext): Promise<boolean> => {
        const [workspaceId = '', id = ''] = run.key.split('/')
        return run.run('fetch', () => fetchPending(ctx, { workspaceId, id }))
      },
    },
  })
}

export function filesOf(run: Run, { workspaceId, id }: PostKey) {
  return run.objectClient<ReturnType<typeof fetchWorkflow>>({ name: filesService }, `${workspaceId}/${id}`)
}
