import { analytics } from '@carillon/contract'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve } from '../../infra/http/serve.ts'
import { serveFile } from '../../infra/http/serve-file.ts'
import { describeMetrics } from './describe-metrics.ts'
import { exportCsv } from './export-csv.ts'
import { getOverview } from './get-overview.ts'
import { getPostAnalytics } from './get-post-analytics.ts'
import { listTopPosts } from './list-top-posts.ts'
import { syncMetrics } from './sync-metrics.ts'

export function analyticsRoutes(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, analytics.overview, (call) => getOverview(call, call.query))
  serve(app, ctx, analytics.posts, (call) => listTopPosts(call, call.query))
  serve(app, ctx, analytics.post, (call) => getPostAnalytics(call, call.params.uploadId))
  serve(app, ctx, analytics.platformMetrics, async () => describeMetrics(ctx))
  serve(app, ctx, analytics.sync, (call) => syncMetrics(call))
  serveFile(app, ctx, analytics.export, (call) => exportCsv(call, call.query))
}
