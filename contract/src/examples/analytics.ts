import type { analytics } from '../analytics.ts'
import type { ExamplesOf } from './case.ts'
import { ids } from './posts.ts'

const noEngagement = { likes: 0, comments: 0, shares: 0, impressions: 0, clicks: 0, saves: 0 }

const someEngagement = { ...noEngagement, likes: 41, comments: 5, shares: 7, impressions: 1930 }

export const analyticsExamples: ExamplesOf<typeof analytics> = {
  overview: [
    {
      returns: {
        summary: {
          totalPublished: 3,
          totalSucceeded: 2,
          totalFailed: 1,
          successRate: 66.67,
          totalLikes: 41,
          totalComments: 5,
          totalShares: 7,
          totalImpressions: 1930,
          totalClicks: 0,
          totalSaves: 0,
          engagementRate: 2.75,
          engagementChannels: 1,
          engagementLeftOut: 1,
        },
        snapshots: [
          { date: '2026-11-15', published: 0, ...noEngagement },
          { date: '2026-11-16', published: 3, ...someEngagement },
        ],
        groups: [
          {
            platform: 'bluesky',
            connectionId: ids.bluesky,
            connection: 'bluesky-tower.example',
            targetName: 'The Tower',
            published: 3,
            failed: 1,
            ...someEngagement,
            engagementRate: 2.75,
            collectedAt: '2026-11-16T09:00:04.020Z',
          },
        ],
      },
    },
  ],
  posts: [
    {
      returns: [
        {
          uploadId: ids.post,
          title: null,
          excerpt: 'The bells ring at nine. Come early, the tower is small.',
          type: 'text',
          publishedAt: '2026-11-16T08:00:00.412Z',
          platforms: ['bluesky'],
          engagement: someEngagement,
          engagementRate: 2.75,
          collectedAt: '2026-11-16T09:00:04.020Z',
        },
      ],
    },
  ],
  bestTimes: [
    {
      returns: {
        timezone: 'Europe/Berlin',
        posts: 38,
        postsNeeded: 20,
        isEnough: true,
        leftOut: 2,
        hours: [
          { day: 'monday', hour: 12, n: 9, score: 0.93, certainty: 'some' },
          { day: 'tuesday', hour: 9, n: 14, score: 1.8, certainty: 'good' },
          { day: 'thursday', hour: 17, n: 3, score: 1.12, certainty: 'few' },
          { day: 'saturday', hour: 10, n: 12, score: 0.81, certainty: 'good' },
        ],
        best: [
          { day: 'tuesday', hour: 9, n: 14, score: 1.8, certainty: 'good' },
          { day: 'thursday', hour: 17, n: 3, score: 1.12, certainty: 'few' },
        ],
      },
    },
  ],
  post: [
    {
      returns: {
        uploadId: ids.post,
        requestId: ids.request,
        title: null,
        status: 'partial_failure',
        scheduledAt: '2026-11-16T08:00:00.000Z',
        createdAt: '2026-11-15T19:30:08.112Z',
        platforms: [
          {
            platform: 'bluesky',
            status: 'success',
            postId: 'at://did:plc:tower/app.bsky.feed.post/3lazq5ykk2s2x',
            postUrl: 'https://bsky.app/profile/tower.example/post/3lazq5ykk2s2x',
            publishedAt: '2026-11-16T08:00:00.412Z',
            targetName: 'The Tower',
            error: null,
            engagement: { ...noEngagement, likes: 18, comments: 2, shares: 3 },
            collectedAt: '2026-11-16T09:00:04.020Z',
          },
          {
            platform: 'x',
            status: 'failed',
            postId: null,
            postUrl: null,
            publishedAt: null,
            targetName: '@thetower',
            error: 'X refused this post because the same text was posted recently.',
            engagement: noEngagement,
            collectedAt: null,
          },
        ],
      },
    },
  ],
  followers: [
    {
      returns: [
        {
          connectionId: ids.bluesky,
          connection: 'bluesky-tower.example',
          platform: 'bluesky',
          targetName: 'The Tower',
          reported: true,
          days: [
            { date: '2026-11-14', followers: 1204 },
            { date: '2026-11-15', followers: null },
            { date: '2026-11-16', followers: 1211 },
          ],
          first: 1204,
          last: 1211,
          change: 7,
        },
      ],
    },
  ],
  platformMetrics: [
    {
      returns: [
        {
          platform: 'threads',
          primaryImpression: 'impressions',
          metrics: ['likes', 'comments', 'shares', 'impressions'],
          labels: { likes: 'Likes', comments: 'Comments', shares: 'Shares', impressions: 'Impressions' },
          engagementParts: ['likes', 'comments', 'shares'],
        },
      ],
    },
  ],
  sync: [{ returns: { enqueued: 4 } }],
  export: [
    {
      returns: [
        'day,uploadId,channelId,platform,connection,account,title,status,finishedAt,url,error,' +
          'likes,comments,shares,impressions,clicks,saves',
        `2026-11-16,${ids.post},${ids.blueskyChannel},bluesky,bluesky-tower.example,The Tower,,success,2026-11-16T08:00:00.412Z,` +
          'https://bsky.app/profile/tower.example/post/3lazq5ykk2s2x,,18,2,3,,,0',
        '',
      ].join('\r\n'),
    },
  ],
}
