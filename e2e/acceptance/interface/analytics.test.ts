import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { createPost, dayMs, unknownId } from '../../support/posts.ts'
import { connectAccountsTo } from '../../support/server-env.ts'
import { bluesky, callSimulator, testStack, timeAfter, uniqueText, waitUntilFinished } from '../../test-stack.ts'

type Summary = Record<string, number>
type Overview = { summary: Summary; snapshots: { date: string; published: number; [figure: string]: unknown }[] }
type Entry = {
  platform: string
  status: string
  error: string | null
  engagement: Record<string, number>
  [field: string]: unknown
}
type PostFigures = { uploadId: string; requestId: string; platforms: Entry[]; [field: string]: unknown }

const day = (offset: number) => timeAfter(offset * dayMs).slice(0, 10)
const overview = (query = '') => callData<Overview>(`GET /analytics?${query}`)
const count = expect.toSatisfy((value: unknown) => Number.isInteger(value) && Number(value) >= 0, 'a whole number')
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)

describe('the workspace', () => {
  rows(
    async () => {
      await waitUntilFinished((await createPost({ connections: [bluesky, testStack.failConnection] })).data.uploadId)
      return overview()
    },
    {
      'I 4.4 GET /analytics': (it) => expect(Object.keys(it)).toEqual(['summary', 'snapshots']),
      'I 2 Summary totalPublished': ({ summary }) => expect(summary['totalPublished']).toBeGreaterThan(1),
      'I 2 Summary totalSucceeded': ({ summary }) => expect(summary['totalSucceeded']).toBeGreaterThan(0),
      'I 2 Summary totalFailed': ({ summary }) => expect(summary['totalFailed']).toBeGreaterThan(0),
      'I 2 Summary successRate': ({ summary }) => expect(String(summary['successRate'])).toMatch(/^\d{1,3}(\.\d{1,2})?$/),
      'I 2 Summary totalLikes': ({ summary }) => expect(summary['totalLikes']).toEqual(count),
      'I 2 Summary totalComments': ({ summary }) => expect(summary['totalComments']).toEqual(count),
      'I 2 Summary totalShares': ({ summary }) => expect(summary['totalShares']).toEqual(count),
      'I 2 Summary totalImpressions': ({ summary }) => expect(summary['totalImpressions']).toEqual(count),
      'I 2 Snapshot date': ({ snapshots }) => expect(snapshots.at(-1)?.date).toBe(day(0)),
      'I 2 Snapshot published': ({ snapshots }) => expect(snapshots.at(-1)?.published).toBeGreaterThan(1),
      'I 2 Snapshot likes': ({ snapshots }) => expect(snapshots[0]?.['likes']).toEqual(count),
      'I 2 Snapshot impressions': ({ snapshots }) => expect(snapshots[0]?.['impressions']).toEqual(count),
      'D 9 default range': ({ snapshots }) =>
        expect(snapshots.map(({ date }) => date)).toEqual(Array.from({ length: 30 }, (_, n) => day(n - 29))),
      'D 12 analytics count': async ({ summary, snapshots }) => {
        const { totalPublished = 0, totalSucceeded = 0, totalFailed = 0, successRate } = summary
        expect(totalSucceeded + totalFailed).toBe(totalPublished)
        expect(successRate).toBe(Math.round((totalSucceeded / totalPublished) * 10_000) / 100)
        expect(snapshots.reduce((sum, each) => sum + each.published, 0)).toBe(totalPublished)
        await waitUntilFinished((await createPost({ connections: [testStack.unconfirmedConnection] })).data.uploadId)
        expect((await overview()).summary['totalFailed']).toBe(totalFailed + 1)
        expect((await overview('from=2001-01-01&to=2001-01-02')).summary['successRate']).toBe(0)
      },
      'I 4.4 query from and to': async () => {
        expect((await overview(`from=${day(-6)}&to=${day(0)}`)).snapshots.map(({ date }) => date)).toHaveLength(7)
        expect((await overview('from=2001-01-01&to=2001-01-07')).summary['totalPublished']).toBe(0)
        await expect(overview('from=yesterday')).rejects.toThrow('422')
      },
      'D 9 empty periods': async () => {
        const { snapshots } = await overview('from=2001-01-01&to=2001-01-02')
        expect(snapshots).toMatchObject([
          { date: '2001-01-01', published: 0, likes: 0 },
          { date: '2001-01-02', published: 0, likes: 0 },
        ])
        const months = await overview('from=2001-01-01&to=2001-03-05&granularity=month')
        expect(months.snapshots.map(({ date }) => date)).toEqual(['2001-01-01', '2001-02-01', '2001-03-01'])
      },
      'I 4.4 query granularity': async () => {
        // 2001-01-01 was a Monday.
        const weeks = await overview('from=2001-01-01&to=2001-01-14&granularity=week')
        expect(weeks.snapshots.map(({ date }) => date)).toEqual(['2001-01-01', '2001-01-08'])
        expect((await overview('from=2001-01-01&to=2001-01-14&granularity=day')).snapshots).toHaveLength(14)
        await expect(overview('granularity=hour')).rejects.toThrow('422')
      },
      'I 4.4 query platform': async () => {
        const [all, one, none] = [await overview(), await overview('platform=bluesky'), await overview('platform=threads,x')]
        const { totalPublished = 0 } = all.summary
        expect(one.summary['totalPublished']).toBeGreaterThan(0)
        expect(one.summary['totalPublished']).toBeLessThan(totalPublished)
        expect(none.summary['totalPublished']).toBeLessThan(totalPublished)
        const known = await callData<{ platform: string }[]>('GET /analytics/platform-metrics')
        const each = await Promise.all(known.map(({ platform }) => overview(`platform=${platform}`)))
        expect(each.reduce((sum, { summary }) => sum + (summary['totalPublished'] ?? 0), 0)).toBe(totalPublished)
        await expect(overview('platform=Bluesky')).rejects.toThrow('422')
      },
    },
  )

  row('I 2 Snapshot comments', async () => {
    const { id: workspace } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Commented' } })
    const [account] = await connectAccountsTo(workspace, uniqueText('commented').replace(' ', '-'), ['mastodon'])
    const text = uniqueText('commented')
    const body = { connections: [account?.slug], text }
    const { uploadId } = await callData<{ uploadId: string }>('POST /content/text', { workspace, body })
    const status = async () => (await callData<{ status: string }>(`GET /content/${uploadId}`, { workspace })).status
    await expect.poll(status, { timeout: 30_000 }).toBe('completed')
    await callSimulator('POST', 'figures', { platform: 'mastodon', text, comments: 37 })
    await callData('POST /analytics/sync', { workspace })
    const comments = async () =>
      (await callData<Overview>('GET /analytics', { workspace })).snapshots.map((snapshot) => snapshot['comments'])
    const nonZero = async () => (await comments()).filter((value) => value !== 0)
    await expect.poll(nonZero, { timeout: 40_000 }).toEqual([37])
    expect(await comments()).toEqual(Array(30).fill(count))
  })

  row('I 1 analytics', async () => {
    const { uploadId } = await waitUntilFinished((await createPost()).data.uploadId)
    expect((await overview()).summary['totalPublished']).toBeGreaterThan(0)
    expect((await callData<PostFigures>(`GET /analytics/post/${uploadId}`)).platforms).toHaveLength(1)
  })

  row('D 9 export', async () => {
    const reply = await call('GET /analytics/export')
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')])
    expect(reply.text.split('\n')[0]).toContain('platform')
  })
})

rows(
  async () => {
    const post = await waitUntilFinished(
      (await createPost({ title: 'Figures', connections: [bluesky, testStack.failConnection] })).data.uploadId,
    )
    return { post, figures: await callData<PostFigures>(`GET /analytics/post/${post.uploadId}`) }
  },
  {
    'I 4.4 GET /analytics/post/:uploadId': ({ post, figures }) =>
      expect(figures).toEqual({
        uploadId: post.uploadId,
        requestId: post.requestId,
        title: 'Figures',
        status: 'partial_failure',
        scheduledAt: null,
        createdAt: post.createdAt,
        platforms: [expect.any(Object), expect.any(Object)],
      }),
    'I 4.4 post by either id': async ({ post, figures }) => {
      expect(await callData(`GET /analytics/post/${post.requestId}`)).toEqual(figures)
      expect((await call(`GET /analytics/post/${unknownId}`)).status).toBe(404)
    },
    'I 2 Post analytics platform': ({ figures }) =>
      expect(figures.platforms.map(({ platform }) => platform)).toEqual(['bluesky', 'mastodon']),
    'I 2 Post analytics status': ({ figures }) =>
      expect(figures.platforms.map(({ status }) => status)).toEqual(['success', 'failed']),
    'I 2 Post analytics postId': ({ figures }) => expect(figures.platforms[0]?.['postId']).toMatch(/\w+/),
    'I 2 Post analytics postUrl': ({ figures }) => expect(figures.platforms[0]?.['postUrl']).toMatch(/^https?:/),
    'I 2 Post analytics publishedAt': ({ figures }) => expect(figures.platforms[0]?.['publishedAt']).toEqual(instant),
    'I 2 Post analytics targetName': ({ figures }) => expect(figures.platforms[0]?.['targetName']).toBe('demo on bluesky'),
    'I 2 Post analytics error': ({ figures }) => expect(figures.platforms[1]?.error).toMatch(/\w+/),
    'I 7 analytics error': ({ figures }) => expect(figures.platforms[0]?.error).toBeNull(),
    'I 2 Post analytics engagement': ({ figures }) =>
      expect(figures.platforms[0]?.engagement).toEqual({
        likes: count,
        comments: count,
        shares: count,
        impressions: count,
        clicks: count,
        saves: count,
      }),
  },
)

type Metrics = { platform: string; primaryImpression: string; metrics: string[]; labels: Record<string, string> }

rows(() => callData<Metrics[]>('GET /analytics/platform-metrics'), {
  'I 4.4 GET /analytics/platform-metrics': (all) => expect(all.length).toBeGreaterThan(3),
  'I 2 Platform metrics platform': (all) => expect(all.map(({ platform }) => platform)).toContain('bluesky'),
  'I 2 Platform metrics primaryImpression': (all) => {
    for (const { primaryImpression, metrics } of all) expect(['', ...metrics]).toContain(primaryImpression)
  },
  'I 2 Platform metrics metrics': (all) => {
    for (const { metrics } of all) expect(metrics).toEqual(metrics.map(() => expect.any(String)))
  },
  'I 2 Platform metrics labels': (all) => {
    for (const { labels, metrics } of all) expect(Object.keys(labels).toSorted()).toEqual(metrics.toSorted())
  },
  'D 9 metrics': async (all) => {
    const provided = all.find(({ platform }) => platform === 'bluesky')?.metrics ?? []
    const { uploadId } = await waitUntilFinished((await createPost()).data.uploadId)
    const [entry] = (await callData<PostFigures>(`GET /analytics/post/${uploadId}`)).platforms
    for (const [name, value] of Object.entries(entry?.engagement ?? {}))
      if (!provided.includes(name)) expect([name, value]).toEqual([name, 0])
  },
})

describe('fresh figures', () => {
  rows(() => call<{ enqueued: number }>('POST /analytics/sync'), {
    'I 4.4 POST /analytics/sync': ({ status, data }) => expect([status, data]).toEqual([200, { enqueued: count }]),
    'D 9 sync': async () => {
      const { id: workspace } = await callData<{ id: string }>('POST /workspaces', { body: { name: 'Measured' } })
      const [speaker] = await connectAccountsTo(workspace, uniqueText('measured').replace(' ', '-'), ['bluesky', 'mastodon'])
      const sync = async () => (await callData<{ enqueued: number }>('POST /analytics/sync', { workspace })).enqueued
      expect(await sync()).toBe(0)
      const body = { connections: [speaker?.slug], text: uniqueText('measured') }
      const { uploadId } = await callData<{ uploadId: string }>('POST /content/text', { workspace, body })
      const status = async () => (await callData<{ status: string }>(`GET /content/${uploadId}`, { workspace })).status
      await expect.poll(status, { timeout: 20_000 }).toBe('completed')
      const fault = { kind: 'delay', ms: 3000 }
      const { id } = await callSimulator('POST', 'faults', { platform: 'bluesky', operation: 'metrics', fault })
      // Only one of the two connections has published posts. While its sync runs, another request adds no job.
      expect([await sync(), await sync(), await sync()]).toEqual([1, 0, 0])
      await callSimulator('DELETE', `faults/${id}`)
    },
  })
})
