import { Type, type Static } from 'typebox'
import { endpoint } from './endpoint.ts'
import { labelFilter } from './planning/labels.ts'
import type { Metric } from './manifest.ts'
import { platforms } from './platforms.ts'
import { channelStatuses, postStatuses, postTypes } from './post.ts'
import { weekdays } from './queues.ts'
import { StrictObject, DateOrInstant, Nullable, ObjectId, Timestamp, Uuid, CommaSeparatedEnum } from './primitives.ts'

/** The display name of each metric. */
export const metricLabels: Readonly<Record<Metric, string>> = {
  likes: 'Likes',
  comments: 'Comments',
  shares: 'Shares',
  impressions: 'Impressions',
  clicks: 'Clicks',
  saves: 'Saves',
}

/** What people do with a post. Clicks are left out: few platforms report them. */
export const engagementParts = ['likes', 'comments', 'shares', 'saves'] as const satisfies readonly Metric[]

const rankings = ['likes', 'comments', 'shares', 'impressions', 'clicks', 'saves'] as const satisfies readonly Metric[]

const granularities = ['day', 'week', 'month'] as const
export type Granularity = (typeof granularities)[number]

const Count = Type.Integer({ minimum: 0 })

const EngagementRate = Nullable(
  Type.Number({
    minimum: 0,
    description:
      '(likes + comments + shares + saves) ÷ impressions × 100, two decimals, over the channels that have impressions; ' +
      'null if there are none',
  }),
)

export const AnalyticsSummary = StrictObject({
  totalPublished: Type.Integer({ minimum: 0, description: 'Channels that were published or failed' }),
  totalSucceeded: Count,
  totalFailed: Type.Integer({ minimum: 0, description: 'An unconfirmed channel counts as failed' }),
  successRate: Type.Number({ description: 'Percentage of totalPublished, with two decimals; 0 if there are none' }),
  totalLikes: Count,
  totalComments: Count,
  totalShares: Count,
  totalImpressions: Count,
  totalClicks: Count,
  totalSaves: Count,
  engagementRate: EngagementRate,
  engagementChannels: Type.Integer({ minimum: 0, description: 'Channels that `engagementRate` covers' }),
  engagementLeftOut: Type.Integer({
    minimum: 0,
    description: 'Channels with figures but without impressions, which `engagementRate` leaves out',
  }),
})
export type AnalyticsSummary = Static<typeof AnalyticsSummary>

export const AnalyticsSnapshot = StrictObject({
  date: Type.String({ format: 'date', description: 'The first day of the period, in UTC; a week starts on Monday' }),
  published: Type.Integer({ minimum: 0, description: 'Channels that were published or failed in the period' }),
  likes: Type.Integer({ minimum: 0, description: 'The likes up to now of the posts that were published in the period' }),
  comments: Count,
  impressions: Count,
  shares: Count,
  clicks: Count,
  saves: Count,
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
  primaryImpression: Type.String({
    description: 'The metric that counts how often a post was seen; empty if the platform has none',
  }),
  metrics: Type.Array(Type.String()),
  labels: Type.Record(Type.String(), Type.String()),
  engagementParts: Type.Array(Type.Enum([...engagementParts]), {
    description:
      'The figures that its engagement rate adds up; empty if the platform does not report impressions, so that it has no rate',
  }),
})
export type PlatformMetrics = Static<typeof PlatformMetrics>

/** The figures of one platform or connection. */
export const AnalyticsGroup = StrictObject({
  platform: Type.String(),
  connectionId: Nullable(Type.Unsafe<string>({ ...ObjectId, description: 'Null for a whole platform' })),
  connection: Nullable(Type.String({ description: 'The slug of the connection' })),
  targetName: Nullable(Type.String()),
  published: Type.Integer({ minimum: 0, description: 'Channels that were published or failed' }),
  failed: Count,
  ...Engagement.properties,
  engagementRate: EngagementRate,
  collectedAt: Nullable(
    Type.Unsafe<string>({ ...Timestamp, description: 'When the platform last reported one of these figures' }),
  ),
})
export type AnalyticsGroup = Static<typeof AnalyticsGroup>

/** The figures of the posts that have one label. */
export const LabelFigures = StrictObject({
  labelId: ObjectId,
  published: Type.Integer({ minimum: 0, description: 'Channels that were published or failed' }),
  failed: Count,
  ...Engagement.properties,
  engagementRate: EngagementRate,
  collectedAt: AnalyticsGroup.properties.collectedAt,
})
export type LabelFigures = Static<typeof LabelFigures>

/** A post with the sum of the figures of its channels. */
export const RankedPost = StrictObject({
  uploadId: ObjectId,
  title: Nullable(Type.String()),
  excerpt: Type.String({ maxLength: 80, description: 'The title, or the beginning of the text' }),
  type: Type.Enum([...postTypes]),
  publishedAt: Timestamp,
  platforms: Type.Array(Type.String()),
  engagement: Engagement,
  engagementRate: EngagementRate,
  collectedAt: Nullable(Timestamp),
})
export type RankedPost = Static<typeof RankedPost>

/** How the posts of one hour of the week did. */
export const HourFigures = StrictObject({
  day: Type.Enum([...weekdays]),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'From this hour until the next one' }),
  n: Type.Integer({ minimum: 1, description: 'Posts that were published in this hour' }),
  score: Type.Number({
    minimum: 0,
    description:
      'The engagement of these posts as a multiple of what is usual for their connections, with two decimals: the mean of the posts and ' +
      'of five assumed ones that received the usual',
  }),
  certainty: Type.Enum(['few', 'some', 'good'], { description: '`few`: under 5 posts; `some`: under 10; `good`: 10 or more' }),
})
export type HourFigures = Static<typeof HourFigures>

export const BestTimes = StrictObject({
  timezone: Type.String({ description: 'The zone of `day` and `hour`' }),
  posts: Type.Integer({ minimum: 0, description: 'Posts that were compared' }),
  postsNeeded: Type.Integer({ minimum: 1, description: 'With fewer posts, `isEnough` is false' }),
  isEnough: Type.Boolean(),
  leftOut: Type.Integer({
    minimum: 0,
    description:
      'Channels of the same time that were not compared: without likes, comments, shares and saves of at least 48 hours after the ' +
      'publication, or of a connection whose posts all received nothing',
  }),
  hours: Type.Array(HourFigures, { maxItems: 168, description: 'Every hour with a post, in the order of the week' }),
  best: Type.Array(HourFigures, {
    maxItems: 5,
    description:
      'The highest scores from 1.1 on of hours with at least three posts, highest first; empty if there are not enough posts',
  }),
})
export type BestTimes = Static<typeof BestTimes>

const range = {
  from: Type.Optional(DateOrInstant('The start: a date or an instant')),
  to: Type.Optional(DateOrInstant('The end: a date, which is included completely, or an instant')),
  platform: Type.Optional(CommaSeparatedEnum(platforms)),
  ...labelFilter,
}

const read = { scope: 'analytics:read', role: 'viewer', workspace: 'header', ok: 200, audit: null } as const

export const analytics = {
  overview: endpoint({
    ...read,
    id: 'analytics.overview',
    method: 'GET',
    path: '/analytics',
    summary: 'The metrics of all posts of the workspace, in total and by day, week or month',
    query: StrictObject({
      ...range,
      granularity: Type.Optional(Type.Enum([...granularities], { default: 'day' })),
      by: Type.Optional(
        Type.Enum(['platform', 'connection', 'label'], {
          description: 'Adds `groups`: the figures of each; with `label` it is `labels`',
        }),
      ),
      compare: Type.Optional(
        Type.Enum(['previous', 'year'], {
          description:
            'Adds `previous`, a summary, and `previousRange`: of the same number of days before `from`, or of the same days a year before',
        }),
      ),
    }),
    returns: StrictObject({
      summary: AnalyticsSummary,
      snapshots: Type.Array(AnalyticsSnapshot),
      groups: Type.Optional(Type.Array(AnalyticsGroup, { description: 'Most published first' })),
      labels: Type.Optional(
        Type.Array(LabelFigures, { description: 'Most published first. A post with several labels is counted for each' }),
      ),
      previous: Type.Optional(AnalyticsSummary),
      previousRange: Type.Optional(
        StrictObject({
          from: Type.String({ format: 'date', description: 'The first day of `previous`, in UTC' }),
          to: Type.String({ format: 'date', description: 'The last day of `previous`, in UTC' }),
        }),
      ),
    }),
    errors: [],
  }),
  posts: endpoint({
    ...read,
    id: 'analytics.posts',
    method: 'GET',
    path: '/analytics/posts',
    summary: 'The posts of a range with the highest figures',
    query: StrictObject({
      ...range,
      sort: Type.Optional(Type.Enum([...rankings], { default: 'impressions', description: 'The figure to sort by' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
    }),
    returns: Type.Array(RankedPost),
    errors: [],
  }),
  bestTimes: endpoint({
    ...read,
    id: 'analytics.bestTimes',
    method: 'GET',
    path: '/analytics/best-times',
    summary: 'How the posts of the last 180 days did at each hour of the week, and the best hours',
    query: StrictObject({
      connection: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Only posts of this connection, by slug' }),
      ),
      timezone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'An IANA time zone, such as Europe/Berlin. Default: that of the workspace',
        }),
      ),
    }),
    returns: BestTimes,
    errors: ['connection_unknown'],
  }),
  post: endpoint({
    ...read,
    id: 'analytics.post',
    method: 'GET',
    path: '/analytics/post/:uploadId',
    summary: 'The metrics of one post for each of its channels, by uploadId or requestId',
    params: StrictObject({ uploadId: Type.String({ minLength: 1, maxLength: 64 }) }),
    returns: PostAnalytics,
    errors: ['post_not_found'],
  }),
  platformMetrics: endpoint({
    ...read,
    id: 'analytics.platformMetrics',
    method: 'GET',
    path: '/analytics/platform-metrics',
    summary: 'The metrics that each platform provides',
    returns: Type.Array(PlatformMetrics),
    errors: [],
  }),
  sync: endpoint({
    id: 'analytics.sync',
    method: 'POST',
    path: '/analytics/sync',
    summary: 'Fetch new metrics from the platforms, with one job per connection',
    scope: 'analytics:write',
    role: 'editor',
    workspace: 'header',
    returns: StrictObject({
      enqueued: Type.Integer({
        minimum: 0,
        description: 'The number of jobs started; a job that is already running is not started again',
      }),
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
    summary: 'Every channel with its metrics for each day, as CSV',
    query: StrictObject(range),
    produces: 'text/csv',
    returns: Type.String({ description: 'CSV as in RFC 4180, with a header line' }),
    errors: [],
  }),
}
