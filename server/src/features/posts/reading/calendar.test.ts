import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { CalendarEntry } from '@carillon/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PostApi } from '../post-api.fixture.ts'
import { calendarQuery } from './calendar.store.ts'

type Calendar = { entries: CalendarEntry[]; truncated: boolean }

const dayMs = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString()

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-calendar-'))
  api = await PostApi.start(dir)
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function calendar(query: Record<string, string> = {}): Promise<Calendar> {
  const range = new URLSearchParams({ from: inDays(-10), to: inDays(30), ...query })
  const reply = await api.send<Calendar>('GET', `/content/calendar?${range}`)
  expect(reply.status).toBe(200)
  return reply.data
}
const idsOf = ({ entries }: Calendar) => entries.map(({ uploadId }) => uploadId)

describe('an entry', () => {
  test('has what a calendar shows, and no content beyond an excerpt', async () => {
    const media = await api.uploadPhoto()
    const text = 'The bells ring at nine. '.repeat(10)
    const at = inDays(3)
    const id = await api.create({
      connections: [api.first, api.second],
      medias: [media],
      text,
      scheduledAt: at,
      timezone: 'Europe/Berlin',
    })
    await api.setChannel(id, { state: 'unconfirmed' })
    const post = await api.get(id)
    expect(await calendar()).toEqual({
      entries: [
        {
          uploadId: id,
          at,
          timezone: 'Europe/Berlin',
          status: 'scheduled',
          type: 'photo',
          excerpt: text.slice(0, 80),
          connections: post.channels.map(({ connectionId }) => connectionId),
          failed: 1,
          unconfirmed: 1,
          approval: 'none',
          mediaId: media,
          hasPicture: true,
          updatedAt: post.updatedAt,
        },
      ],
      truncated: false,
    })
  })

  test('guarantee: tells what may be published from what failed, for each post', async () => {
    const connections = [api.first, api.second]
    const [both, one, none] = [
      await api.create({ connections, scheduledAt: inDays(1) }),
      await api.create({ connections, scheduledAt: inDays(2) }),
      await api.create({ connections, scheduledAt: inDays(3) }),
    ]
    await api.setChannel(both, { state: 'unconfirmed' }, api.first)
    await api.setChannel(both, { state: 'doubted' }, api.second)
    await api.setChannel(one, { state: 'failed' }, api.first)
    await api.setChannel(one, { state: 'unconfirmed' }, api.second)
    expect((await calendar()).entries.map((each) => [each.uploadId, each.failed, each.unconfirmed])).toEqual([
      [both, 2, 2],
      [one, 2, 1],
      [none, 0, 0],
    ])
  })

  test('says which drafts wait for approval', async () => {
    const [waiting, plain] = [
      await api.create({ submit: true, scheduledAt: inDays(1) }),
      await api.create({ saveDraft: true, scheduledAt: inDays(2) }),
    ]
    expect((await calendar()).entries.map((each) => [each.uploadId, each.approval])).toEqual([
      [waiting, 'pending'],
      [plain, 'none'],
    ])
  })

  test('says that its file has no picture, so that nobody asks for one', async () => {
    const media = await api.uploadPhoto()
    await api.create({ medias: [media], scheduledAt: inDays(1) })
    await api.ctx.db.system.updateTable('media').where('id', '=', media).set({ thumbnail_key: null }).execute()
    expect((await calendar()).entries[0]).toMatchObject({ mediaId: media, hasPicture: false })
    await api.openWorkspace()
    await api.create({ scheduledAt: inDays(1) })
    expect((await calendar()).entries[0]).toMatchObject({ mediaId: null, hasPicture: false })
  })

  test('has its title as excerpt, if it has one', async () => {
    await api.create({ title: 'Evensong', scheduledAt: inDays(1) })
    expect((await calendar()).entries[0]?.excerpt).toBe('Evensong')
  })
})

describe('the calendar', () => {
  test('is ordered by time, and shows a post without a scheduled time when it was published', async () => {
    const later = await api.create({ scheduledAt: inDays(4) })
    const sooner = await api.create({ scheduledAt: inDays(2) })
    const published = await api.create()
    await api.setPost(published, { status: 'completed', created_at: inDays(-60), published_at: inDays(-1) })
    const failed = await api.create()
    await api.setPost(failed, { status: 'failed', created_at: inDays(-2) })
    expect(idsOf(await calendar())).toEqual([failed, published, sooner, later])
  })

  test('has drafts with a time, and neither drafts without one nor archived posts', async () => {
    const draft = await api.create({ saveDraft: true, scheduledAt: inDays(2) })
    await api.create({ saveDraft: true })
    const archived = await api.create({ scheduledAt: inDays(2) })
    await api.send('PATCH', `/content/${archived}/archive`)
    expect(idsOf(await calendar())).toEqual([draft])
  })

  test('ends with the whole of its last day', async () => {
    const last = await api.create({ scheduledAt: `${inDays(5).slice(0, 10)}T23:59:59.999Z` })
    await api.create({ scheduledAt: `${inDays(6).slice(0, 10)}T00:00:00Z` })
    expect(idsOf(await calendar({ to: inDays(5).slice(0, 10) }))).toEqual([last])
  })

  test('can be filtered by status, platform, connection and text', async () => {
    const scheduledAt = inDays(1)
    const first = await api.create({ scheduledAt, text: '100% of the bells' })
    const both = await api.create({ scheduledAt: inDays(2), connections: [api.first, api.second], text: 'The tower' })
    const draft = await api.create({ scheduledAt: inDays(3), connections: [api.second], saveDraft: true })
    const { connectionId = '' } = (await api.get(draft)).channels[0] ?? {}
    expect(idsOf(await calendar({ status: 'draft,failed' }))).toEqual([draft])
    expect(idsOf(await calendar({ platform: 'mastodon,x' }))).toEqual([first, both, draft])
    expect(idsOf(await calendar({ platform: 'x' }))).toEqual([])
    expect(idsOf(await calendar({ connection: api.second }))).toEqual([both, draft])
    expect(idsOf(await calendar({ connection: connectionId }))).toEqual([both, draft])
    expect(idsOf(await calendar({ connection: `${api.first},${connectionId}`, status: 'scheduled' }))).toEqual([first, both])
    expect(idsOf(await calendar({ search: '0% OF' }))).toEqual([first])
    expect(idsOf(await calendar({ search: '0_ of' }))).toEqual([])
  })

  test('guarantee: shows nothing of another workspace', async () => {
    await api.create({ scheduledAt: inDays(1) })
    await api.create()
    await api.openWorkspace()
    expect(await calendar()).toEqual({ entries: [], truncated: false })
  })

  test('refuses a request without a range or with an unknown status', async () => {
    for (const query of ['', `?from=${inDays(0)}`, `?from=${inDays(0)}&to=${inDays(1)}&status=lost`])
      expect((await api.send('GET', `/content/calendar${query}`)).error?.code).toBe('request_invalid')
  })
})

/** Inserts posts that are scheduled evenly over a time, each with one channel. */
async function insertPosts(count: number, from: Date, to: Date, firstId = 0): Promise<void> {
  const stepMs = (to.getTime() - from.getTime()) / count
  await sql`
    with added as (
      insert into post (workspace_id, id, request_id, status, type, text, platform_options, scheduled_at, warnings, created_at, updated_at)
      select ${api.workspaceId}, lpad(to_hex(n + ${firstId}::int), 24, '0'), gen_random_uuid(), 'scheduled', 'text', 'Bell ' || n, '{}',
        ${from}::timestamptz + make_interval(secs => n * ${stepMs}::float8 / 1000), '[]', now(), now()
      from generate_series(0, ${count}::int - 1) as n
      returning workspace_id, id
    )
    insert into channel (workspace_id, id, post_id, position, connection_id, connection_slug, target_name, platform, state, needs_stage, warnings)
    select workspace_id, id, id, 0, repeat('a', 24), 'mastodon-first', 'First', 'mastodon', 'scheduled', false, '[]'
    from added`.execute(api.ctx.db.system)
}

/** Only the owner of the tables may analyze them. */
async function analyze(): Promise<void> {
  const owner = new pg.Client({ connectionString: api.database.url })
  await owner.connect()
  await owner.query('analyze post, part, post_media')
  await owner.end()
}

/** The p95 of two kinds of work. They are done in turn, because a machine that is slow for a while must be slow for both. */
async function timeBoth(first: () => Promise<unknown>, second: () => Promise<unknown>, times: number): Promise<[number, number]> {
  const [firstMs, secondMs]: [number[], number[]] = [[], []]
  for (let time = 0; time < times; time++) {
    firstMs.push(await timeOf(first))
    secondMs.push(await timeOf(second))
  }
  return [p95(firstMs), p95(secondMs)]
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now()
  await work()
  return performance.now() - beganMs
}

function p95(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN
}

describe('a long calendar', () => {
  const month = { from: '2030-06-01', to: '2030-06-30' }

  test('ends after 2,000 entries and says so', async () => {
    await insertPosts(2001, new Date('2030-06-01T00:00:00Z'), new Date('2030-07-01T00:00:00Z'))
    const found = await calendar(month)
    expect([found.entries.length, found.truncated]).toEqual([2000, true])
    expect(found.entries.map(({ at }) => at)).toEqual(found.entries.map(({ at }) => at).toSorted())
  })

  test('is sent compressed to a client that accepts it: 1,000 posts in less than 40 kB', async () => {
    await insertPosts(1000, new Date('2030-06-01T00:00:00Z'), new Date('2030-07-01T00:00:00Z'))
    const request = (encoding?: string) =>
      api.server.app.inject({
        method: 'GET',
        url: `/api/content/calendar?${new URLSearchParams(month)}`,
        headers: {
          authorization: `Bearer ${api.apiKey}`,
          'x-workspace-id': api.workspaceId,
          ...(encoding && { 'accept-encoding': encoding }),
        },
      })
    const plain = await request()
    const refused = await request('br, gzip;q=0')
    const compressed = await request('gzip, br')
    expect([plain, refused, compressed].map(({ headers }) => [headers['content-encoding'], headers['vary']])).toEqual([
      [undefined, 'accept-encoding'],
      [undefined, 'accept-encoding'],
      ['gzip', 'accept-encoding'],
    ])
    expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body)
    expect(plain.json<{ data: Calendar }>().data.entries).toHaveLength(1000)
    expect(compressed.rawPayload.length).toBeLessThan(40_000)
  })

  test('guarantee: 1,000 posts take at most 1.5 times as long as their SQL', { timeout: 120_000 }, async () => {
    await insertPosts(1000, new Date('2030-06-01T00:00:00Z'), new Date('2030-07-01T00:00:00Z'))
    await analyze()
    const range = { from: new Date('2030-06-01T00:00:00Z'), to: new Date('2030-07-01T00:00:00Z') }
    const everyPost = { statuses: null, platforms: null, connections: null, search: null, labels: null }
    const filter = { ...range, ...everyPost, workspaceId: api.workspaceId }
    const readSql = () => api.ctx.db.readOnly(api.workspaceId, (tx) => calendarQuery(filter, 2001).execute(tx))
    const request = () =>
      api.server.app.inject({
        method: 'GET',
        url: `/api/content/calendar?${new URLSearchParams(month)}`,
        headers: {
          authorization: `Bearer ${api.apiKey}`,
          'x-workspace-id': api.workspaceId,
          'accept-encoding': 'gzip',
        },
      })
    await timeBoth(request, readSql, 10)
    const ratios: number[] = []
    // Other programs may disturb a round; the cost of the request would be in all of them.
    while (ratios.length < 4 && !ratios.some((ratio) => ratio <= 1.5)) {
      const [slow, bare] = await timeBoth(request, readSql, 60)
      console.log(`calendar of 1,000 posts: p95 ${slow.toFixed(1)} ms, its SQL ${bare.toFixed(1)} ms`)
      ratios.push(slow / bare)
    }
    expect(Math.min(...ratios)).toBeLessThanOrEqual(1.5)
  })

  test('reads a month of 1,000 posts among 30,000 by index', { timeout: 120_000 }, async () => {
    const monthMs = 30 * dayMs
    const from = new Date('2030-01-01T00:00:00Z')
    for (let n = 0; n < 30; n++) {
      const begin = new Date(from.getTime() + n * monthMs)
      await insertPosts(1000, begin, new Date(begin.getTime() + monthMs), n * 1000)
    }
    await analyze()
    const start = new Date(from.getTime() + 5 * monthMs)
    const filter = {
      workspaceId: api.workspaceId,
      from: start,
      to: new Date(start.getTime() + monthMs),
      statuses: null,
      platforms: null,
      connections: null,
      search: null,
      labels: null,
    }
    const lines = await api.ctx.db.readOnly(api.workspaceId, async (tx) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, costs off) ${calendarQuery(filter, 2001)}`.execute(
        tx,
      )
      return rows.map((row) => row['QUERY PLAN'])
    })
    const plan = lines.join('\n')
    expect(plan).toMatch(/(?:Index Scan using|Bitmap Index Scan on) post_day/)
    expect(plan).toMatch(/(?:Index Scan using|Bitmap Index Scan on) post_unscheduled/)
    expect(plan).not.toMatch(/Seq Scan on (?:post|channel)\b(?!_)/)
    expect(plan).not.toMatch(/Rows Removed by Filter: [1-9]\d{2,}/)
  })
})
