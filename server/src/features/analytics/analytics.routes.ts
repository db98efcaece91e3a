import { type Metric, type PlatformMetrics, analytics, engagementParts, metricLabels, platforms } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { serveFile } from '../../infra/http/serve-file.ts'
import { serve } from '../../infra/http/serve.ts'
import { connectorOf, readsFigures } from '../connections/connector-of.ts'
import { describeConnections } from '../connections/present-connection.ts'
import { listPublishers } from '../posts/reading/finished.store.ts'
import { exportCsv } from './export-csv.ts'
import { getFollowers } from './get-followers.ts'
import { getBestTimes } from './get-best-times.ts'
import { getOverview } from './get-overview.ts'
import { getPostAnalytics } from './get-post-analytics.ts'
import { listTopPosts } from './list-top-posts.ts'
import { requestPulls } from './pull.store.ts'

export function analyticsRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, analytics.overview, (call) => getOverview(call, call.query))
  serve(app, ctx, analytics.posts, (call) => listTopPosts(call, call.query))
  serve(app, ctx, analytics.bestTimes, (call) => getBestTimes(call, call.query))
  serve(app, ctx, analytics.post, (call) => getPostAnalytics(call, call.params.uploadId))
  serve(app, ctx, analytics.followers, (call) => getFollowers(call, call.query))
  serve(app, ctx, analytics.platformMetrics, async () => describeMetrics(ctx))
  serve(app, ctx, analytics.sync, (call) => syncMetrics(call))
  serveFile(app, ctx, analytics.export, (call) => exportCsv(call, call.query))
}

/** The figures that each platform reports, according to its manifest. */
function describeMetrics(ctx: Context): PlatformMetrics[] {
  return platforms.map((platform) => {
    const { metrics, primaryImpression } = ctx.connectors[platform].manifest
    const names = (Object.keys(metricLabels) as Metric[]).filter((name) => metrics[name] !== undefined)
    return {
      platform,
      primaryImpression: primaryImpression ?? '',
      metrics: names,
      labels: Object.fromEntries(names.map((name) => [name, metricLabels[name]])),
      engagementParts: metrics.impressions === undefined ? [] : engagementParts.filter((name) => metrics[name] !== undefined),
    }
  })
}

/** Requests fresh figures for every usable connection that has published. A request that is already in progress is not repeated. */
async function syncMetrics(scope: RequestScope): Promise<{ enqueued: number }> {
  const { ctx, tx, principal, nowMs } = scope
  const publishers = await listPublishers(tx, principal.workspaceId)
  if (publishers.length === 0) return { enqueued: 0 }
  const connections = await describeConnections(scope)
  const usable = new Set(
    connections
      .filter(
        ({ status, platform }) => (status === 'active' || status === 'expiring') && readsFigures(ctx, connectorOf(ctx, platform)),
      )
      .map(({ id }) => id),
  )
  const requested = publishers
    .filter(({ connectionId }) => usable.has(connectionId))
    .map((publisher) => ({ ...publisher, workspaceId: principal.workspaceId }))
  return { enqueued: await requestPulls(tx, requested, new Date(nowMs)) }
}
