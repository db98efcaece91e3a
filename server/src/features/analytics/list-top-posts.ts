import type { analytics, QueryOf, RankedPost } from '@carillon/contract'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { rateEngagement } from './rate-engagement.ts'
import { rankPosts } from './figure-group.store.ts'
import { resolveRange } from './resolve-range.ts'

/** The posts that were published in the range, by one figure. */
export async function listTopPosts(scope: RequestScope, query: QueryOf<typeof analytics.posts>): Promise<RankedPost[]> {
  const { sort = 'impressions', limit = 10 } = query
  const rows = await rankPosts(scope.tx, resolveRange(scope, query).filter, { by: sort, limit })
  return rows.map(({ id, title, excerpt, type, publishedAt, platforms, collectedAt, interactions, ...engagement }) => ({
    uploadId: id,
    title,
    excerpt,
    type,
    publishedAt: publishedAt.toISOString(),
    platforms,
    engagement,
    engagementRate: rateEngagement({ interactions, impressions: engagement.impressions }),
    collectedAt: collectedAt?.toISOString() ?? null,
  }))
}
