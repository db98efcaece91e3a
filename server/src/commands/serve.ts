import { apiKeyRoutes } from '../features/api-keys/api-key.routes.ts'
import { stopChannels } from '../features/posts/stop-channels.ts'
import { workspaceDataRoutes } from '../features/workspace-data/workspace-data.routes.ts'
import { httpHooks } from './http-hooks.ts'
import { aiRoutes } from '../features/ai/ai.routes.ts'
import { analyticsRoutes } from '../features/analytics/analytics.routes.ts'
import { auditRoutes } from '../features/audit/audit.routes.ts'
import { connectionRoutes } from '../features/connections/connection.routes.ts'
import { integrationRoutes } from '../features/connections/connect/integration.routes.ts'
import { createApp } from '../infra/http/create-app.ts'
import type { Config } from '../config.ts'
import { createContext } from '../create-context.ts'
import { migrate } from '../infra/db/migrate.ts'
import { runWorker } from './run-worker.ts'
import { fileRoutes } from '../features/media/download/file.routes.ts'
import { healthRoutes } from '../infra/health/health.routes.ts'
import { acceptRoutes } from '../features/invitations/accept.routes.ts'
import { invitationRoutes } from '../features/invitations/invitation.routes.ts'
import { mediaRoutes } from '../features/media/media.routes.ts'
import { memberRoutes } from '../features/members/member.routes.ts'
import { accountRoutes } from '../features/people/account.routes.ts'
import { platformRoutes } from '../features/platforms/platform.routes.ts'
import { postRoutes } from '../features/posts/post.routes.ts'
import { referenceRoutes } from '../features/reference/reference.routes.ts'
import { webhookRoutes } from '../features/webhooks/webhook.routes.ts'
import { workspaceRoutes } from '../features/workspaces/workspace.routes.ts'

export type ServeRole = 'all' | 'api' | 'worker'

const apiRoutes = [
  aiRoutes,
  analyticsRoutes,
  apiKeyRoutes,
  auditRoutes,
  connectionRoutes({ beforeRemoval: stopChannels }),
  invitationRoutes,
  mediaRoutes,
  memberRoutes,
  platformRoutes,
  postRoutes,
  webhookRoutes,
  workspaceDataRoutes,
  workspaceRoutes,
]

const rootRoutes = [acceptRoutes, accountRoutes, fileRoutes, healthRoutes, integrationRoutes, referenceRoutes]

/** Runs the service until it is told to stop: the API, a worker, or both in one process. */
export async function serveCommand(config: Config, role: ServeRole): Promise<void> {
  await migrate(config.databaseUrl)
  const { ctx, close } = createContext(config)
  const stops: (() => Promise<void>)[] = []
  if (role !== 'worker') {
    const app = createApp(ctx, { hooks: httpHooks(ctx), api: apiRoutes, root: rootRoutes })
    await app.listen({ host: config.host, port: config.port })
    stops.push(() => app.close())
  }
  if (role !== 'api') stops.push(await runWorker(ctx))
  ctx.log.info({ role, port: config.port }, 'carillon is up')

  const stop = async () => {
    for (const end of stops) await end()
    await close()
    process.exit(0)
  }
  process.once('SIGTERM', () => void stop())
  process.once('SIGINT', () => void stop())
}
