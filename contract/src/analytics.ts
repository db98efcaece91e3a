import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import type { Metric } from './manifest.ts'
import { platforms } from './platforms.ts'
import { channelStatuses, postStatuses } from './post.ts'
import { StrictObject, DateOrInstant, Nullable, ObjectId, Timestamp, Uuid, CommaSeparatedEnum } from './primitives.ts'

/** What people call each figure. */
export const metricLabels: Readonly<Record<Metric, string>> = {
  likes: 'Likes',
  comments: 'Comments',
  shares: 'Shares',
  impressions: 'Impressions',
  clicks: 'Clicks',
  saves: 'Saves',
}

export const granularities = ['day', 'week', 'month'] as const
export type Granularity = (typeof granularities)[number]

const Count = Type.Integer({ minimum: 0 })

export const AnalyticsSummary = StrictObject({
  totalPublished: Type.Integer({ minimum: 0, description: 'Channels that have ended, well or not' }),
  totalSucceeded: Count,
  totalFailed: Type.Integer({ minimum: 0, description: 'An unconfirmed channel counts as failed' }),
  successRate: Type.Number({ description: 'Percent of those that have ended, two decimals; 0 when there are none' }),
  totalLikes: Count,
  totalComments: Count,
  totalShares: Count,
  totalImpressions: Count,
})
export type AnalyticsSummary = Static<typeof AnalyticsSummary>

export const AnalyticsSnapshot = StrictObject({
  date: Type.String({ format: 'date', description: 'The first day of the period, in UTC; a week starts on Monday' }),
  published: Type.Integer({ minimum: 0, description: 'Channels that ended in the period' }),
  likes: Type.Integer({ minimum: 0, description: 'What the posts published in the period have gathered to this day' }),
  comments: Count,
  impressions: Count,
})
export type AnalyticsSnapshot = Static<typeof AnalyticsSnapshot>

export const Engagement = StrictObject({
  likes: Count,
  comments: Count,
  shares: Count,
  impressions: Count,
  clicks: Count,
  saves: Count,
})
export type Engagement = Static<typeof Engagement>

export const ChannelAnalytics = StrictObject({
  platform: Type.String(),
  status: Type.Enum([...channelStatuses]),
  postId: Nullable(Type.String()),
  postUrl: Nullable(Type.String()),
  publishedAt: Nullable(Timestamp),
  targetName: Type.String(),
  error: Nullable(Type.String()),
  engagement: Engagement,
  collectedAt: Nullable(Timestamp),
})
export type ChannelAnalytics = Static<typeof ChannelAnalytics>

export const PostAnalytics = StrictObject({
  uploadId: ObjectId,
  requestId: Uuid,
  title: Nullable(Type.String()),
  status: Type.Enum([...postStatuses]),
  scheduledAt: Nullable(Timestamp),
  createdAt: Timestamp,
  platforms: Type.Array(ChannelAnalytics),
})
export type PostAnalytics = Static<typeof PostAnalytics>

export const PlatformMetrics = StrictObject({
  platform: Type.Enum([...platforms]),
  primaryImpression: Type.String({ description: 'The figure that tells how often a post was seen; empty where there is none' }),
  metrics: Type.Array(Type.String()),
  labels: Type.Record(Type.String(), Type.String()),
})
export type PlatformMetrics = Static<typeof PlatformMetrics>

const range = {
  from: Type.Optional(DateOrInstant('The first day or instant')),
  to: Type.Optional(DateOrInstant('The last day, all of it, or the last instant')),
  platform: Type.Optional(CommaSeparatedEnum(platforms)),
}

const read = { scope: 'analytics:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const

export const analytics = {
  overview: endpoint({
    ...read,
    id: 'analytics.overview',
    method: 'GET',
    path: '/analytics',
    summary: 'How the workspace’s posts did, in all and by day, week or month',
    query: StrictObject({ ...range, granularity: Type.Optional(Type.Enum([...granularities], { default: 'day' })) }),
    returns: StrictObject({ summary: AnalyticsSummary, snapshots: Type.Array(AnalyticsSnapshot) }),
    errors: [],
  }),
  post: endpoint({
    ...read,
    id: 'analytics.post',
    method: 'GET',
    path: '/analytics/post/:uploadId',
    summary: 'How one post did on each of its channels, by uploadId or requestId',
    params: StrictObject({ uploadId: Type.String({ minLength: 1, maxLength: 64 }) }),
    returns: PostAnalytics,
    errors: ['post_not_found'],
  }),
  platformMetrics: endpoint({
    ...read,
    id: 'analytics.platformMetrics',
    method: 'GET',
    path: '/analytics/platform-metrics',
    summary: 'Which figures each platform tells',
    returns: Type.Array(PlatformMetrics),
    errors: [],
  }),
  sync: endpoint({
    id: 'analytics.sync',
    method: 'POST',
    path: '/analytics/sync',
    summary: 'Ask the platforms for fresh figures, one job a connection',
    scope: 'analytics:write',
    role: 'editor',
    workspace: 'header',
    returns: StrictObject({
      enqueued: Type.Integer({ minimum: 0, description: 'Jobs started; one already under way is not started again' }),
    }),
    ok: 200,
    errors: [],
    audit: 'analytics.sync',
  }),
  export: endpoint({
    ...read,
    id: 'analytics.export',
    method: 'GET',
    path: '/analytics/export',
    summary: 'Every channel and its figures day by day, as CSV',
    query: StrictObject(range),
    produces: 'text/csv',
    returns: Type.String({ description: 'RFC 4180 with a header line' }),
    errors: [],
  }),
}
