import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BestTimes } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PostApi } from '../posts/post-api.fixture.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { saveFigures } from './metric.store.ts'

const dayMs = 86_400_000
const hourMs = dayMs / 24
const unknown = { likes: null, comments: null, shares: null, impressions: null, clicks: null, saves: null }
/** The start of a day a week ago, in UTC, so that all posts of a test are settled. */
const monday = (() => {
  const today = Math.floor(Date.now() / dayMs)
  return (today - 7 - ((today + 3) % 7)) * dayMs
})()

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-best-'))
  api = await PostApi.start(dir, { routes: [analyticsRoutes] })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

type Figures = Partial<Record<keyof typeof unknown, number | null>> | null

/** A post that was published at this time. Its figures are collected `afterMs` later; with null, the platform tells nothing. */
async function publish(atMs: number, figures: Figures, { afterMs = 3 * dayMs, slug = api.first } = {}): Promise<void> {
  const { workspaceId } = api
  const id = await api.create({ connections: [slug] })
  const at = new Date(atMs)
  await api.setChannel(id, { state: 'published', platform_post_id: id, published_at: at, finished_at: at }, slug)
  const channels = (await api.channels(id)).map((channel) => ({
    channelId: channel.id,
    publishedAt: at,
    figures: figures && { ...unknown, ...figures },
  }))
  const collected = { workspaceId, platform: 'mastodon', at: new Date(atMs + afterMs) }
  await api.ctx.db.tenant(workspaceId, (tx) => saveFigures(tx, collected, channels))
}

const read = async (query = '') => (await api.send<BestTimes>('GET', `/analytics/best-times?${query}`)).data
const setZone = (timezone: string) =>
  api.ctx.db.system.updateTable('workspace').set({ timezone }).where('id', '=', api.workspaceId).execute()

test('hours are those of the zone of the workspace, or of the one that was asked for', async () => {
  await setZone('Pacific/Auckland')
  // 20:30 on a Monday in UTC is 8:30 or 9:30 on the Tuesday in Auckland, and 2:15 in Kathmandu.
  await publish(monday + 20.5 * hourMs, { likes: 4 })
  const found = await read()
  expect(found).toMatchObject({ timezone: 'Pacific/Auckland', posts: 1, isEnough: false, best: [] })
  expect(found.hours).toEqual([{ day: 'tuesday', hour: expect.toBeOneOf([8, 9]), n: 1, score: 1, certainty: 'few' }])
  expect((await read('timezone=Asia/Kathmandu')).hours).toMatchObject([{ day: 'tuesday', hour: 2 }])
  const refused = await api.send('GET', '/analytics/best-times?timezone=Mars/Olympus')
  expect([refused.status, refused.error?.code]).toEqual([422, 'request_invalid'])
})

test('the best hours are those of at least 20 posts', async () => {
  await setZone('UTC')
  for (let week = 0; week < 3; week++) {
    for (let day = 0; day < 5; day++) await publish(monday + (day - 7 * week) * dayMs + 8 * hourMs, { likes: 10 })
    await publish(monday + (1 - 7 * week) * dayMs + 17 * hourMs, { likes: 20, comments: 10 })
  }
  expect(await read()).toMatchObject({ posts: 18, postsNeeded: 20, isEnough: false, best: [] })
  for (let week = 3; week < 5; week++) await publish(monday + (1 - 7 * week) * dayMs + 17 * hourMs, { likes: 30 })
  expect(await read()).toMatchObject({
    posts: 20,
    isEnough: true,
    leftOut: 0,
    best: [{ day: 'tuesday', hour: 17, n: 5, score: 2, certainty: 'some' }],
  })
}, 30_000)

/** Guarantee: a figure that the platform does not tell does not make an hour look bad, and a part that it tells is not lost. */
test('a channel without a figure is left out and not counted as 0', async () => {
  await setZone('UTC')
  await publish(monday + 8 * hourMs, { likes: 10, comments: null })
  await publish(monday + 9 * hourMs, { saves: 10 })
  await publish(monday + 10 * hourMs, { impressions: 900, clicks: 3 })
  await publish(monday + 11 * hourMs, null)
  const { hours, leftOut, posts } = await read()
  expect(hours.map(({ hour, score }) => [hour, score])).toEqual([
    [8, 1],
    [9, 1],
  ])
  expect([posts, leftOut]).toEqual([2, 2])
})

/** Guarantee: a new post does not make its hour look bad. */
test('figures of the first 48 hours of a post, and posts older than 180 days, do not count', async () => {
  await setZone('UTC')
  await publish(monday + 8 * hourMs, { likes: 10 }, { afterMs: 2 * dayMs })
  await publish(monday + 9 * hourMs, { likes: 1 }, { afterMs: 2 * dayMs - 1000 })
  await publish(Date.now() - dayMs, { likes: 1 })
  await publish(Date.now() - 181 * dayMs, { likes: 50 })
  expect(await read()).toMatchObject({ posts: 1, leftOut: 1, hours: [{ hour: 8, n: 1, score: 1 }] })
})

test('the posts of one connection, and of no unknown one', async () => {
  await setZone('UTC')
  await publish(monday + 8 * hourMs, { likes: 10 })
  await publish(monday + 9 * hourMs, { likes: 1000 }, { slug: api.second })
  expect((await read()).hours).toMatchObject([
    { hour: 8, score: 1 },
    { hour: 9, score: 1 },
  ])
  expect((await read(`connection=${api.second}`)).hours).toMatchObject([{ hour: 9, n: 1 }])
  const refused = await api.send('GET', '/analytics/best-times?connection=mastodon-nobody')
  expect([refused.status, refused.error?.code]).toEqual([422, 'connection_unknown'])
})
