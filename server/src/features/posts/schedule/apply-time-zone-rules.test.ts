import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostApi } from '../post-api.fixture.ts'
import { applyTimeZoneRules } from './apply-time-zone-rules.ts'

/** Guarantee: under new time zone rules a scheduled post keeps its wall time, and so does every one of its channels. */

const hourMs = 3_600_000
let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-zones-'))
  api = await PostApi.start(dir)
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

test('the post and its channels move to the new instant of the wall time', async () => {
  const year = new Date().getUTCFullYear() + 1
  const wall = { scheduledAt: `${year}-07-01T09:00`, timezone: 'Europe/Berlin' }
  const id = await api.create({ connections: [api.first, api.second], ...wall })
  const wanted = new Date(`${year}-07-01T07:00:00Z`)
  // As if it had been scheduled with rules that knew no summer time.
  const old = new Date(wanted.getTime() + hourMs)
  await api.setPost(id, { scheduled_at: old })
  for (const slug of [api.first, api.second]) await api.setChannel(id, { due_at: old, dispatch_at: old }, slug)
  const before = await api.channels(id)
  await applyTimeZoneRules(api.ctx, '9999a')
  expect((await api.get(id)).scheduledAt).toBe(wanted.toISOString())
  const after = await api.channels(id)
  expect(after.map((channel) => [channel.state, channel.due_at, channel.dispatch_at])).toEqual([
    ['scheduled', wanted, wanted],
    ['scheduled', wanted, wanted],
  ])
  // A job that was enqueued for the old time must send nothing.
  for (const [at, { generation }] of after.entries()) expect(generation).toBeGreaterThan(before[at]?.generation ?? 0)
})
