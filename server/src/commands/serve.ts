import { aiRoutes } from '../ai/ai.routes.ts'
import { analyticsRoutes } from '../analytics/analytics.routes.ts'
import { auditRoutes } from '../audit/audit.routes.ts'
import { connectionRoutes } from '../connections/connection.routes.ts'
import { integrationRoutes } from '../connections/integration.routes.ts'
import { createApp } from '../http/app.ts'
import type { Config } from '../config.ts'
import { createContext } from '../create-context.ts'
import { migrate } from '../db/migrate.ts'
import { runWorker } from '../engine/run-worker.ts'
import { fileRoutes } from '../files/file.routes.ts'
import { healthRoutes } from '../health/health.routes.ts'
import { acceptRoutes } from '../invitations/accept.routes.ts'
import { invitationRoutes } from '../invitations/invitation.routes.ts'
import { mediaRoutes } from '../media/media.routes.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { accountRoutes } from '../people/account.routes.ts'
import { platformRoutes } from '../platforms/platform.routes.ts'
import { postRoutes } from '../posts/post.routes.ts'
import { referenceRoutes } from '../reference/reference.routes.ts'
import { webhookRoutes } from '../webhooks/webhook.routes.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'

export type ServeRole = 'all' | 'api' | 'worker'

/** Runs the service until it is told to stop: the API, a worker, or both in one process. */
export async function serveCommand(config: Config, role: ServeRole): Promise<void> {
  await migrate(config.databaseUrl)
  const { ctx, close } = createContext(config)
  const stops: (() => Promise<void>)[] = []
  if (role !== 'worker') {
    const people = [auditRoutes, connectionRoutes, invitationRoutes, memberRoutes, workspaceRoutes]
    const routes = [aiRoutes, analyticsRoutes, mediaRoutes, platformRoutes, postRoutes, webhookRoutes, ...people]
    const app = createApp(ctx, routes, [
      acceptRoutes,
      accountRoutes,
      fileRoutes,
      healthRoutes,
      integrationRoutes,
      referenceRoutes,
    ])
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
