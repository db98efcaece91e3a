import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Metric } from '@carillon/contract'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../../context.ts'
import { PostApi } from '../../posts/post-api.fixture.ts'
import { analyticsRoutes } from '../analytics.routes.ts'
import { saveFigures } from '../metric.store.ts'
import { dayOf } from '../resolve-range.ts'
import { dayMs } from './encode-history.ts'
import { foldHistory } from './fold-history.ts'

// Guarantee: moving old days changes no answer of the API, and nothing is lost or doubled.

let api: PostApi
let dir: string
let superuser: pg.Client

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-history-'))
  api = await PostApi.start(dir, { routes: [analyticsRoutes] })
  superuser = new pg.Client({ connectionString: api.database.url })
  await superuser.connect()
}, 60_000)

beforeEach(async () => {
  await superuser.query(`update migration set applied_at = now() - interval '30 days'`)
  await api.openWorkspace()
})

afterAll(async () => {
  await superuser.end()
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const startOfToday = Math.floor(Date.now() / dayMs) * dayMs
/** Noon of the day that is this many days ago, or of a day to come. */
const noon = (daysAgo: number) => new Date(startOfToday - (daysAgo - 0.5) * dayMs)
const fold = (nowMs = Date.now()) => foldHistory({ ...api.ctx, nowMs: () => nowMs } satisfies Context)
const none = { likes: null, comments: null, shares: null, impressions: null, clicks: null, saves: null }

type Figures = Partial<Record<Metric, number | null>>
type Publication = { id: string; channelIds: string[]; publishedAt: Date }

/** A post on two accounts, and the function that stores figures of both for a day. */
async function publish(daysAgo: number): Promise<Publication> {
  const slugs = [api.first, api.second]
  const id = await api.create({ connections: slugs, text: `Published ${daysAgo} days ago` })
  const publishedAt = noon(daysAgo)
  for (const slug of slugs)
    await api.setChannel(
      id,
      { state: 'published', platform_post_id: `${id}-${slug}`, published_at: publishedAt, finished_at: publishedAt },
      slug,
    )
  return { id, publishedAt, channelIds: (await api.channels(id)).map((channel) => channel.id) }
}

async function collect({ channelIds, publishedAt }: Publication, at: Date, figures: Figures): Promise<void> {
  const { workspaceId } = api
  const channels = channelIds.map((channelId, n) => ({
    channelId,
    publishedAt,
    // The figures of the second account differ.
    figures: { ...none, ...figures, shares: n },
  }))
  await api.ctx.db.tenant(workspaceId, (tx) => saveFigures(tx, { workspaceId, platform: 'mastodon', at }, channels))
}

/** Figures of every day from the publication to yesterday but one, with all that can happen to a figure. */
async function collectDaily(post: Publication, daysAgo: number): Promise<void> {
  for (let left = daysAgo; left >= 0; left--) {
    const age = daysAgo - left
    // The platform was down on this day.
    if (age === 4) continue
    const likes = age < 10 ? age * 3 : 30
    // Some platforms stop reporting a figure, and some correct one downwards.
    await collect(post, noon(left), { likes, comments: age === 6 ? null : 2, impressions: age === 8 ? 90 : 100 + age })
  }
}

const text = async (url: string) => {
  const headers = { authorization: `Bearer ${api.apiKey}`, 'x-workspace-id': api.workspaceId }
  const response = await api.server.app.inject({ method: 'GET', url: `/api${url}`, headers })
  expect(response.statusCode).toBe(200)
  return response.body
}

/** Every answer about figures: for the whole time, for one that starts in the middle of a week, and for one day. */
async function readAnswers(posts: readonly Publication[]): Promise<string[]> {
  const day = (daysAgo: number) => dayOf(noon(daysAgo).getTime())
  const wednesday = [38, 39, 40, 41, 42, 43, 44].map(day).find((each) => new Date(each).getUTCDay() === 3)
  const ranges = [
    [day(60), day(0)],
    [wednesday, day(1)],
    [day(20), day(20)],
  ]
  const urls = ranges.flatMap(([from, to]) => [
    `/analytics/export?from=${from}&to=${to}`,
    `/analytics/posts?from=${from}&to=${to}&sort=likes`,
    ...['day', 'week', 'month'].map(
      (each) => `/analytics?from=${from}&to=${to}&granularity=${each}&by=connection&compare=previous`,
    ),
  ])
  const answers = []
  for (const url of [...urls, ...posts.map(({ id }) => `/analytics/post/${id}`)]) answers.push(await text(url))
  return answers
}

const countRows = async (table: 'metric_day' | 'metric_history') => {
  const { rows } = await superuser.query<{ count: number }>(`select count(*)::int from ${table} where workspace_id = $1`, [
    api.workspaceId,
  ])
  return rows[0]?.count
}

test(
  'every answer is the same before and after days are moved, and after they are moved again',
  { timeout: 60_000 },
  async () => {
    const posts = [await publish(45), await publish(20), await publish(5)]
    for (const [n, daysAgo] of [45, 20, 5].entries()) {
      const post = posts[n]
      if (post) await collectDaily(post, daysAgo)
    }
    const before = await readAnswers(posts)
    expect(before[0]?.split('\r\n')).toHaveLength(1 + 2 * (45 + 20 + 5) + 1)

    while (await fold());
    // Both channels of the first two posts have a history; the days of the third are too young.
    expect(await countRows('metric_history')).toBe(4)
    expect(await countRows('metric_day')).toBe(2 * (3 + 3 + 5))
    expect(await readAnswers(posts)).toEqual(before)

    // Weeks later the remaining days are moved too.
    while (await fold(Date.now() + 30 * dayMs));
    expect([await countRows('metric_history'), await countRows('metric_day')]).toEqual([6, 0])
    expect(await readAnswers(posts)).toEqual(before)
  },
)

test('figures that are collected after a move are added to the history', async () => {
  const post = await publish(12)
  await collect(post, noon(12), { likes: 1 })
  await fold()
  await collect(post, noon(0), { likes: 5 })
  await fold(Date.now() + 10 * dayMs)
  const lines = (await text('/analytics/export')).trim().split('\r\n').slice(1)
  expect(lines.map((line) => [line.slice(0, 10), line.split(',').slice(-6).join()])).toEqual([
    [dayOf(noon(12).getTime()), '1,,0,,,'],
    [dayOf(noon(0).getTime()), '5,,0,,,'],
    [dayOf(noon(12).getTime()), '1,,1,,,'],
    [dayOf(noon(0).getTime()), '5,,1,,,'],
  ])
  expect(await countRows('metric_day')).toBe(0)
})

test('workers that move days at the same time lose none', async () => {
  const posts = [await publish(12), await publish(13)]
  for (const post of posts) for (let left = 12; left > 2; left--) await collect(post, noon(left), { likes: 20 - left })
  const before = await readAnswers(posts)
  await Promise.all(Array.from({ length: 6 }, () => fold()))
  expect([await countRows('metric_history'), await countRows('metric_day')]).toEqual([4, 0])
  expect(await readAnswers(posts)).toEqual(before)
})

test('a post that is being deleted is not waited for, and its history is deleted with it', async () => {
  const [kept, removed] = [await publish(12), await publish(12)]
  for (const post of [kept, removed]) await collect(post, noon(11), { likes: 1 })
  await superuser.query('begin')
  await superuser.query('delete from post where workspace_id = $1 and id = $2', [api.workspaceId, removed.id])
  await fold()
  expect(await countRows('metric_history')).toBe(2)
  await superuser.query('rollback')
  await fold()
  expect(await countRows('metric_history')).toBe(4)
  await superuser.query('delete from post where workspace_id = $1 and id = $2', [api.workspaceId, removed.id])
  expect(await countRows('metric_history')).toBe(2)
})

/** Guarantee: a process of the release before, which reads no histories, exports every day while both releases run. */
test('no day is moved in the week after the upgrade', async () => {
  await collect(await publish(30), noon(29), { likes: 1 })
  await superuser.query(`update migration set applied_at = now() - interval '6 days' where name = '032_metric_history.sql'`)
  expect(await fold()).toBe(false)
  expect([await countRows('metric_history'), await countRows('metric_day')]).toEqual([0, 2])
})

test('figures that have not changed since the last request of the day are not written again', async () => {
  const post = await publish(1)
  const version = async () => {
    const { rows } = await superuser.query('select xmin, ctid from metric_day where workspace_id = $1 order by channel_id', [
      api.workspaceId,
    ])
    return JSON.stringify(rows)
  }
  await collect(post, noon(0), { likes: 1, comments: null })
  const first = await version()
  await collect(post, new Date(noon(0).getTime() + 60_000), { likes: 1, comments: null })
  expect(await version()).toBe(first)
  await collect(post, new Date(noon(0).getTime() + 120_000), { likes: 1, comments: 0 })
  expect(await version()).not.toBe(first)
})
