import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostApi } from '../post-api.fixture.ts'
import { loadEventPosts } from './load-event-posts.ts'

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-event-posts-'))
  api = await PostApi.start(dir)
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

/** Guarantee: an event never tells a receiver of a result that came after it. */
test('an event has its own status, and no results that came later', async () => {
  const id = await api.create({ connections: [api.first, api.second] })
  const startedMs = Date.now()
  const failed = { state: 'failed', finished_at: new Date(startedMs + 500), attempts: 1 } as const
  await api.setChannel(id, failed)
  await api.setChannel(id, { state: 'failed', finished_at: new Date(startedMs - 500) }, api.second)
  await api.setPost(id, { status: 'failed' })
  const ref = { workspaceId: api.workspaceId, postId: id }
  const dataOf = await loadEventPosts(api.ctx.db.system, [ref])
  const statuses = (event: 'upload.publishing' | 'upload.scheduled' | 'upload.failed' | 'channel.failed') => {
    const data = dataOf(ref, { event, atMs: startedMs })
    return [data?.status, data?.channels.map(({ result }) => result.status)]
  }
  expect(statuses('upload.publishing')).toEqual(['publishing', ['publishing', 'failed']])
  expect(statuses('upload.scheduled')).toEqual(['scheduled', ['pending', 'failed']])
  expect(statuses('upload.failed')).toEqual(['failed', ['failed', 'failed']])
  expect(statuses('channel.failed')).toEqual(['failed', ['failed', 'failed']])
  const { error, postUrl } = dataOf(ref, { event: 'upload.publishing', atMs: startedMs })?.channels[0]?.result ?? {}
  expect([error, postUrl]).toEqual([null, null])
  expect(dataOf({ ...ref, postId: 'none' }, { event: 'upload.failed', atMs: startedMs })).toBeUndefined()
})
