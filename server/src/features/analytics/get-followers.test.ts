import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionFollowers, ExportPage } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PostApi } from '../posts/post-api.fixture.ts'
import { workspaceDataRoutes } from '../workspace-data/workspace-data.routes.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { saveFollowers } from './follower.store.ts'

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-followers-'))
  api = await PostApi.start(dir, { routes: [analyticsRoutes, workspaceDataRoutes] })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const query = async (text: string) => (await api.send<ConnectionFollowers[]>('GET', `/analytics/followers?${text}`)).data

async function save(slug: string, days: Record<string, number | null>): Promise<void> {
  const { workspaceId } = api
  const found = (await query('')).find(({ connection }) => connection === slug)
  const key = { workspaceId, connectionId: found?.connectionId ?? '' }
  await api.ctx.db.tenant(workspaceId, async (tx) => {
    for (const [day, followers] of Object.entries(days)) await saveFollowers(tx, key, { day, followers })
  })
}

/** Guarantee: a day without a number is null. It is neither 0 nor estimated from the days around it. */
test('every day of the range has a number or null, and the change is that of the first and last number', async () => {
  await save(api.first, { '2026-11-09': 50, '2026-11-11': 120, '2026-11-12': null, '2026-11-14': 118, '2026-11-16': 999 })
  const [found, other] = await query(`from=2026-11-10&to=2026-11-15&connections=${api.first},${api.second}`)
  expect(found).toMatchObject({ connection: api.first, reported: true, first: 120, last: 118, change: -2 })
  expect(found?.days).toEqual([
    { date: '2026-11-10', followers: null },
    { date: '2026-11-11', followers: 120 },
    { date: '2026-11-12', followers: null },
    { date: '2026-11-13', followers: null },
    { date: '2026-11-14', followers: 118 },
    { date: '2026-11-15', followers: null },
  ])
  expect(other).toMatchObject({ connection: api.second, reported: true, first: null, last: null, change: null })
  expect(other?.days.every(({ followers }) => followers === null)).toBe(true)
})

test('one number is no change, and 0 is a number', async () => {
  await save(api.first, { '2026-11-11': 0 })
  expect((await query(`from=2026-11-10&to=2026-11-12&connections=${api.first}`))[0]).toMatchObject({
    first: 0,
    last: 0,
    change: null,
  })
  await save(api.first, { '2026-11-12': 4 })
  expect((await query(`from=2026-11-10&to=2026-11-12&connections=${api.first}`))[0]).toMatchObject({
    first: 0,
    last: 4,
    change: 4,
  })
})

test('a number of a day is not replaced by an answer without one', async () => {
  await save(api.first, { '2026-11-11': 5 })
  await save(api.first, { '2026-11-11': null })
  expect((await query(`from=2026-11-11&to=2026-11-11&connections=${api.first}`))[0]).toMatchObject({ last: 5 })
})

/** Guarantee: an account of another workspace is like an unknown one. */
test('only accounts of the workspace are in the answer', async () => {
  await save(api.first, { '2026-11-11': 5 })
  const [{ connectionId } = { connectionId: '' }] = await query(`connections=${api.first}`)
  await api.openWorkspace()
  const found = await query('from=2026-11-11&to=2026-11-11')
  expect(found.map((each) => each.connectionId)).not.toContain(connectionId)
  expect(found.map(({ last }) => last)).toEqual(found.map(() => null))
  expect(await query('connections=no-such-account')).toEqual([])
})

test('a range has at most 400 days', async () => {
  expect((await api.send('GET', '/analytics/followers?from=2025-01-01&to=2026-11-19')).status).toBe(422)
})

test('an export of the workspace has the days of each account', async () => {
  await save(api.first, { '2020-02-29': 3, '2026-11-12': null })
  const { data } = await api.send<ExportPage>('GET', `/workspaces/${api.workspaceId}/export?cursor=followers`)
  expect([data.part, data.nextCursor]).toEqual(['followers', 'apiKeys'])
  const days = [
    { date: '2020-02-29', followers: 3 },
    { date: '2026-11-12', followers: null },
  ]
  expect(data.records).toContainEqual(expect.objectContaining({ connection: api.first, days }))
  expect(data.records).toContainEqual(expect.objectContaining({ connection: api.second, days: [] }))
})
