import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnalyticsGroup, analytics, RankedPost, ReturnsOf } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { labelRoutes } from '../labels/label.routes.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { saveFigures } from './metric.store.ts'

type Overview = ReturnsOf<typeof analytics.overview>

const dayMs = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * dayMs)
const none = { likes: 0, comments: 0, shares: 0, impressions: 0, clicks: 0, saves: 0 }

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-figures-'))
  api = await PostApi.start(dir, { routes: [analyticsRoutes, labelRoutes] })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

/** A post that was published some days ago, with these figures for each of its channels. */
async function publish(
  days: number,
  figures: Partial<Record<keyof typeof none, number | null>>,
  slugs = [api.first],
): Promise<string> {
  const id = await api.create({ connections: slugs, text: `Published ${days} days ago` })
  const at = ago(days)
  for (const slug of slugs)
    await api.setChannel(id, { state: 'published', platform_post_id: `${id}-${slug}`, published_at: at, finished_at: at }, slug)
  const channels = (await api.channels(id)).map((channel) => ({
    channelId: channel.id,
    publishedAt: at,
    figures: { ...none, ...figures },
  }))
  const { workspaceId } = api
  await api.ctx.db.tenant(workspaceId, (tx) => saveFigures(tx, { workspaceId, platform: 'mastodon', at: new Date() }, channels))
  return id
}

const overview = async (query: string) => (await api.send<Overview>('GET', `/analytics?${query}`)).data

test('snapshots have all six figures, and the answer has no more than was asked for', async () => {
  await publish(0, { likes: 3, shares: 2, clicks: 5, saves: 1 })
  const found = await overview('')
  expect(Object.keys(found)).toEqual(['summary', 'snapshots'])
  expect(found.snapshots.at(-1)).toMatchObject({ published: 1, ...none, likes: 3, shares: 2, clicks: 5, saves: 1 })
})

/** Guarantee: the time of day in a range is not ignored. */
test('a range between two instants has only what was published between them', async () => {
  await publish(2, {})
  await publish(2.25, {})
  const published = async (from: number, until: number) =>
    (await overview(`from=${ago(from).toISOString()}&to=${ago(until).toISOString()}`)).summary.totalPublished
  expect(await published(2.1, 1.9)).toBe(1)
  expect(await published(2.5, 1.9)).toBe(2)
  expect(await published(1.9, 1)).toBe(0)
})

test('groups show the figures of each platform or connection', async () => {
  await publish(1, { likes: 3, clicks: 1 }, [api.first, api.second])
  await publish(2, { likes: 10 }, [api.second])
  const failed = await api.create()
  await api.setChannel(failed, { state: 'failed', finished_at: ago(1) })
  const { groups: platforms } = await overview('by=platform')
  const collectedAt = expect.stringMatching(/^\d{4}-/)
  const whole = { platform: 'mastodon', connectionId: null, connection: null, targetName: null }
  expect(platforms).toEqual([
    { ...whole, published: 4, failed: 1, ...none, likes: 16, clicks: 2, engagementRate: null, collectedAt },
  ])
  const { groups: connections = [] } = await overview('by=connection')
  const bySlug = new Map(connections.map((group: AnalyticsGroup) => [group.connection, group]))
  expect(bySlug.get(api.first)).toMatchObject({ published: 2, failed: 1, likes: 3, clicks: 1 })
  expect(bySlug.get(api.second)).toMatchObject({ published: 2, failed: 0, likes: 13, connectionId: expect.any(String) })
  expect((await overview('by=platform&platform=x')).groups).toEqual([])
})

test('compare=previous adds the same number of days before the range', async () => {
  await publish(1, { likes: 1 })
  await publish(8, { likes: 20 })
  await publish(30, { likes: 300 })
  const day = (days: number) => ago(days).toISOString().slice(0, 10)
  const { summary, previous } = await overview(`from=${day(6)}&to=${day(0)}&compare=previous`)
  expect([summary.totalLikes, previous?.totalLikes, previous?.totalPublished]).toEqual([1, 20, 1])
})

test('guarantee: what was published in the first moment of a range is in the range and not in the one before it', async () => {
  const id = await publish(3, { likes: 7 })
  const at = (await api.channels(id))[0]?.published_at
  const { summary, previous } = await overview(`from=${at?.toISOString()}&to=${ago(1).toISOString()}&compare=previous`)
  expect([summary.totalPublished, summary.totalLikes, previous?.totalPublished, previous?.totalLikes]).toEqual([1, 7, 0, 0])
})

test('compare=year adds the same days of the year before, and says which days they are', async () => {
  await publish(365, { likes: 5 })
  const year = (offset: number) => `${new Date().getUTCFullYear() - offset}`
  const found = await overview(`from=${year(0)}-01-01&to=${year(0)}-12-31&compare=year`)
  expect(found.previousRange).toMatchObject({ from: `${year(1)}-01-01` })
  const before = await overview(`from=${year(1)}-01-01&to=${year(1)}-12-31`)
  expect(found.previous?.totalLikes).toBe(before.summary.totalLikes)
})

/** Guarantee: a platform that does not report impressions makes no rate higher than it is. */
test('the engagement rate leaves out channels without impressions, and counts them', async () => {
  await publish(1, { likes: 6, comments: 2, shares: 1, saves: 1, clicks: 50, impressions: 400 })
  await publish(1, { likes: 1000, impressions: null })
  await publish(1, { likes: 70, impressions: 0 })
  const { summary, groups } = await overview('by=platform')
  expect(summary).toMatchObject({
    engagementRate: 2.5,
    engagementChannels: 1,
    engagementLeftOut: 2,
    totalClicks: 50,
    totalSaves: 1,
  })
  expect(groups).toMatchObject([{ likes: 1076, engagementRate: 2.5 }])
  await api.openWorkspace()
  await publish(1, { likes: 3, impressions: null })
  expect((await overview('')).summary).toMatchObject({ engagementRate: null, engagementChannels: 0, engagementLeftOut: 1 })
})

test('posts are sorted by the sum of a figure over their channels', async () => {
  const both = await publish(1, { likes: 6, impressions: 1 }, [api.first, api.second])
  const one = await publish(2, { likes: 10, impressions: 9 })
  await publish(60, { likes: 1000 })
  const ranked = async (query: string) => (await api.send<RankedPost[]>('GET', `/analytics/posts?${query}`)).data
  expect((await ranked('')).map(({ uploadId }) => uploadId)).toEqual([one, both])
  const byLikes = await ranked('sort=likes&limit=1')
  expect(byLikes).toEqual([
    {
      uploadId: both,
      title: null,
      excerpt: 'Published 1 days ago',
      type: 'text',
      publishedAt: expect.any(String),
      platforms: ['mastodon'],
      engagement: { ...none, likes: 12, impressions: 2 },
      engagementRate: 600,
      collectedAt: expect.any(String),
    },
  ])
  await api.openWorkspace()
  expect(await ranked('')).toEqual([])
})

/** Guarantee: figures by label are those of the posts that have it, and of no others. */
test('everything can be limited to labels, and grouped by them', async () => {
  const label = async (name: string) => (await api.send<{ id: string }>('POST', '/labels', { name, color: 'red' })).data.id
  const [summer, bells] = [await label('Summer'), await label('Bells')]
  const both = await publish(1, { likes: 3 }, [api.first, api.second])
  const one = await publish(2, { likes: 10 })
  await publish(3, { likes: 100 })
  await api.send('POST', '/content/bulk-label', { ids: [both], add: [summer, bells] })
  await api.send('POST', '/content/bulk-label', { ids: [one], add: [bells] })
  const { summary } = await overview(`label=${summer}`)
  expect(summary).toMatchObject({ totalPublished: 2, totalLikes: 6 })
  expect((await overview(`label=${summer},${bells}`)).summary).toMatchObject({ totalPublished: 3, totalLikes: 16 })
  expect((await overview(`label=${'f'.repeat(24)}`)).summary).toMatchObject({ totalPublished: 0, totalLikes: 0 })
  const { labels, groups } = await overview('by=label')
  expect(groups).toBeUndefined()
  const collectedAt = expect.stringMatching(/^\d{4}-/)
  expect(labels).toEqual([
    { labelId: bells, published: 3, failed: 0, ...none, likes: 16, engagementRate: null, collectedAt },
    { labelId: summer, published: 2, failed: 0, ...none, likes: 6, engagementRate: null, collectedAt },
  ])
  const ranked = (await api.send<RankedPost[]>('GET', `/analytics/posts?sort=likes&label=${bells}`)).data
  expect(ranked.map(({ uploadId }) => uploadId)).toEqual([one, both])
  expect((await overview(`by=platform&label=${summer}`)).groups).toMatchObject([{ published: 2, likes: 6 }])
})
