import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExportPage, Post } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostApi } from '../posts/post-api.fixture.ts'
import { workspaceDataRoutes } from './workspace-data.routes.ts'

/** Guarantee: an export contains every post of the workspace, in whatever state it is. */

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-export-'))
  api = await PostApi.start(dir, { routes: [workspaceDataRoutes] })
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function exportPosts(): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = 'posts'; cursor?.startsWith('posts');) {
    const { data }: { data: ExportPage } = await api.send<ExportPage>(
      'GET',
      `/workspaces/${api.workspaceId}/export?cursor=${cursor}`,
    )
    ids.push(...(data.records as Post[]).map(({ uploadId }) => uploadId))
    cursor = data.nextCursor
  }
  return ids.toSorted()
}

test('drafts, scheduled and archived posts are in it, once each, over several pages', async () => {
  const kept = [
    await api.create({ saveDraft: true }),
    await api.create({ scheduledAt: new Date(Date.now() + 86_400_000).toISOString() }),
  ]
  for (let count = 0; count < 101; count++) kept.push(await api.create({ saveDraft: true }))
  const archived = await api.create({ saveDraft: true })
  expect((await api.send('PATCH', `/content/${archived}/archive`)).status).toBe(200)
  expect(await exportPosts()).toEqual([...kept, archived].toSorted())
})
