import { apiKeyRoutes } from '../features/api-keys/api-key.routes.ts'
import { wakeWaitingChannels } from '../features/posts/post.store.ts'
import { stopChannels } from '../features/posts/stop-channels.ts'
import { personDataRoutes } from '../features/workspace-data/person-data.routes.ts'
import { workspaceDataRoutes } from '../features/workspace-data/workspace-data.routes.ts'
import { httpHooks } from './http-hooks.ts'
import { aiRoutes } from '../features/ai/ai.routes.ts'
import { analyticsRoutes } from '../features/analytics/analytics.routes.ts'
import { auditRoutes } from '../features/audit/audit.routes.ts'
import { developerAppRoutes } from '../features/connections/apps/developer-app.routes.ts'
import { connectLinkPages, connectLinkRoutes } from '../features/connections/links/connect-link.routes.ts'
import { connectionRoutes } from '../features/connections/connection.routes.ts'
import type { ConnectionHooks } from '../features/connections/disconnect.ts'
import { integrationRoutes } from '../features/connections/connect/integration.routes.ts'
import { legalRoutes } from '../features/legal/legal.routes.ts'
import { noticeRoutes } from '../features/connections/notices/notice.routes.ts'
import type { DeletionHooks } from '../features/connections/notices/receive-notice.ts'
import { removeAvatar } from '../features/media/pictures/load-avatar.ts'
import { closeApp, stopOnSignal } from '../infra/process/stop-on-signal.ts'
import { createApp } from '../infra/http/create-app.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { migrateIfOwner } from '../infra/logins/prepare-database.ts'
import { checkWorkerHost } from '../infra/engine/deployments.ts'
import { runWorker } from './run-worker.ts'
import { checkDecoders, SandboxRequired } from '../features/media/decode/check-decoders.ts'
import { fileRoutes } from '../features/media/download/file.routes.ts'
import { healthRoutes } from '../infra/health/health.routes.ts'
import { processState } from '../infra/health/process-state.ts'
import { serveHealth } from '../infra/health/serve-health.ts'
import { logQuickChecks } from '../features/doctor/log-quick-checks.ts'
import { StartError } from '../infra/problem/problem.ts'
import { openContext } from '../open-context.ts'
import { startTracing } from '../infra/tracing/start-tracing.ts'
import { acceptRoutes } from '../features/invitations/accept.routes.ts'
import { cancelInvitations } from '../features/invitations/manage-invitations.ts'
import { invitationRoutes } from '../features/invitations/invitation.routes.ts'
import { linkCardRoutes } from '../features/link-card/link-card.routes.ts'
import { liveRoutes } from '../features/live/live.routes.ts'
import { mcpRoutes } from '../features/mcp/mcp.routes.ts'
import { mediaRoutes } from '../features/media/media.routes.ts'
import { ticketRoutes } from '../features/media/tickets/ticket.routes.ts'
import { meRoutes } from '../features/people/settings/me.routes.ts'
import { pictureRoutes } from '../features/media/pictures/picture.routes.ts'
import { memberRoutes } from '../features/members/member.routes.ts'
import { platformAppRoutes } from '../features/operator/platform-app.routes.ts'
import { operatorRoutes } from '../features/operator/operator.routes.ts'
import { accountRoutes } from '../features/people/account.routes.ts'
import { platformRoutes } from '../features/platforms/platform.routes.ts'
import { approvalLinkRoutes, approvalPageRoutes } from '../features/posts/approval/links/approval-link.routes.ts'
import { commentRoutes } from '../features/posts/comments/comment.routes.ts'
import { postRoutes } from '../features/posts/post.routes.ts'
import { consentRoutes } from '../features/oauth/consent.routes.ts'
import { grantRoutes } from '../features/oauth/grant.routes.ts'
import { oauthRoutes } from '../features/oauth/oauth.routes.ts'
import { calendarFeedRoutes, calendarFileRoutes } from '../features/calendar-feed/calendar-feed.routes.ts'
import { importRoutes } from '../features/imports/import.routes.ts'
import { labelRoutes } from '../features/labels/label.routes.ts'
import { noteRoutes } from '../features/notes/note.routes.ts'
import { personNoticeRoutes } from '../features/notices/notice.routes.ts'
import { unsubscribeRoutes } from '../features/notices/unsubscribe.routes.ts'
import { seriesRoutes } from '../features/series/series.routes.ts'
import { reportRoutes, reportPageRoutes } from '../features/reports/report.routes.ts'
import { queueRoutes } from '../features/queues/queue.routes.ts'
import { referenceRoutes } from '../features/reference/reference.routes.ts'
import { webRoutes } from '../features/web/web.routes.ts'
import { accountWebhookRoutes } from '../features/webhooks/account/account-webhook.routes.ts'
import { webhookRoutes } from '../features/webhooks/webhook.routes.ts'
import { firstRunRoutes } from '../features/workspaces/first-run.routes.ts'
import { logSetupCode } from '../features/workspaces/log-setup-code.ts'
import { workspaceRoutes } from '../features/workspaces/workspace.routes.ts'
import { simulatedRoutes } from '../features/connections/connect/simulated.routes.ts'

type ServeRole = 'all' | 'api' | 'worker'

const connectionHooks: ConnectionHooks = {
  beforeRemoval: stopChannels,
  afterReconnect: (tx, { workspaceId, id }) => wakeWaitingChannels(tx, workspaceId, id),
}

const deletionHooks: DeletionHooks = { beforeRemoval: stopChannels, removeFile: removeAvatar }

const apiRoutes = [
  accountWebhookRoutes,
  aiRoutes,
  analyticsRoutes,
  apiKeyRoutes,
  approvalLinkRoutes,
  auditRoutes,
  calendarFeedRoutes,
  commentRoutes,
  connectLinkRoutes,
  developerAppRoutes,
  connectionRoutes(connectionHooks),
  grantRoutes,
  invitationRoutes,
  importRoutes,
  labelRoutes,
  linkCardRoutes,
  liveRoutes,
  mediaRoutes,
  meRoutes,
  memberRoutes({ afterRoleChange: cancelInvitations }),
  noteRoutes,
  personNoticeRoutes,
  pictureRoutes,
  platformRoutes,
  postRoutes,
  queueRoutes,
  reportRoutes,
  seriesRoutes,
  webhookRoutes,
  workspaceDataRoutes,
  workspaceRoutes,
]

/** Outside of `/api`. */
export const rootRoutes = [
  acceptRoutes,
  accountRoutes,
  approvalPageRoutes,
  calendarFileRoutes,
  connectLinkPages(connectionHooks),
  consentRoutes,
  fileRoutes,
  firstRunRoutes,
  healthRoutes,
  integrationRoutes(connectionHooks),
  legalRoutes,
  mcpRoutes,
  noticeRoutes(deletionHooks),
  oauthRoutes,
  operatorRoutes,
  platformAppRoutes,
  personDataRoutes,
  referenceRoutes,
  reportPageRoutes,
  simulatedRoutes(connectionHooks),
  unsubscribeRoutes,
  ticketRoutes,
  webRoutes,
]

type ServeOptions = { role: ServeRole; migrates: boolean }

/** Runs the service until a stop signal: the API, a worker, or both in one process. */
export async function serve(config: Config, { role, migrates }: ServeOptions): Promise<void> {
  if (role !== 'api') checkWorkerHost(config)
  if (migrates) await migrateIfOwner(config)
  const { ctx, close } = await openContext(config, { migrates, isService: true })
  await requireDecoders(ctx)
  const closeHealth = await serveHealth(ctx)
  const stopTracing = await startTracing(ctx, role)
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    await Promise.all(stops.map((each) => each()))
    await stopTracing()
    await closeHealth()
    await close()
  }
  stopOnSignal({ log: ctx.log, state: processState(ctx), stop })
  if (role !== 'worker') {
    stops.push(await serveApi(ctx))
    await logSetupCode(ctx)
  }
  if (role !== 'api') stops.push(await runWorker(ctx))
  ctx.log.info({ role, port: config.port }, 'carillon is up')
  await logQuickChecks(ctx)
}

/** Ends the process with a plain message if the installation requires a sandbox that the machine cannot provide. */
async function requireDecoders(ctx: Context): Promise<void> {
  try {
    await checkDecoders(ctx)
  } catch (error) {
    if (!(error instanceof SandboxRequired)) throw error
    throw new StartError(error.message, { cause: error })
  }
}

async function serveApi(ctx: Context): Promise<() => Promise<void>> {
  const app = createApp(ctx, { hooks: httpHooks(ctx), api: apiRoutes, root: rootRoutes })
  await app.listen({ host: ctx.config.host, port: ctx.config.port })
  return () => closeApp(app)
}
