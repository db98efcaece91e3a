import type { ChannelAnalytics, Engagement, PostAnalytics } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { loadPost } from '../posts/load-post.ts'
import { presentPost } from '../posts/reading/present-post.ts'
import { findMetrics, type MetricRow } from './metric.store.ts'

export async function getPostAnalytics(scope: RequestScope, id: string): Promise<PostAnalytics> {
  const found = await loadPost(scope, id)
  const { uploadId, requestId, title, status, scheduledAt, createdAt, channels } = presentPost(found, [])
  const rows = await findMetrics(
    scope.tx,
    scope.principal.workspaceId,
    channels.map((channel) => channel.id),
  )
  const metrics = new Map(rows.map((row) => [row.channel_id, row]))
  const platforms = channels.map(({ id: channelId, platform, targetName, result }): ChannelAnalytics => {
    const row = metrics.get(channelId)
    return {
      platform,
      status: result.status,
      postId: result.postId,
      postUrl: result.postUrl,
      publishedAt: result.publishedAt,
      targetName,
      error: result.error?.message ?? null,
      engagement: engagementOf(row),
      collectedAt: row?.collected_at?.toISOString() ?? null,
    }
  })
  return { uploadId, requestId, title, status, scheduledAt, createdAt, platforms }
}

function engagementOf(row: MetricRow | undefined): Engagement {
  return {
    likes: Number(row?.likes ?? 0),
    comments: Number(row?.comments ?? 0),
    shares: Number(row?.shares ?? 0),
    impressions: Number(row?.impressions ?? 0),
    clicks: Number(row?.clicks ?? 0),
    saves: Number(row?.saves ?? 0),
  }
}
