import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Import, Label, Post } from '@carillon/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { labelRoutes } from '../labels/label.routes.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { importRoutes } from './import.routes.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-exports-'))
  api = await PostApi.start(dir, { routes: [importRoutes, labelRoutes] })
}, 60_000)

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function download(path: string): Promise<string> {
  const response = await api.server.app.inject({
    url: `/api/exports/${path}`,
    headers: { authorization: `Bearer ${api.apiKey}`, 'x-workspace-id': api.workspaceId },
  })
  expect(response.statusCode).toBe(200)
  return response.body
}

const posts = async () => (await api.send<{ data: Post[] }>('GET', '/content?limit=100')).data.data
const contentOf = (post: Post) => ({
  ...post,
  uploadId: '',
  requestId: '',
  createdAt: '',
  updatedAt: '',
  labels: post.labels?.length,
  channels: post.channels.map(({ connection, result }) => [connection, result.status]),
})

/** Guarantee: an export has all that a post says, and an import in another workspace makes the same posts of it. */
test.each(['csv', 'jsonl'])('guarantee: %s round-trips', async (format) => {
  await api.openWorkspace()
  const label = async () => (await api.send<Label>('POST', '/labels', { name: 'Summer | rain', color: 'teal' })).data.id
  const id =
    format === 'csv' ? (await api.send<Label>('POST', '/labels', { name: 'Summer', color: 'teal' })).data.id : await label()
  const full = {
    connections: [api.first, api.second],
    text: '=HYPERLINK("x"), "quoted"\nsecond line; |',
    linkUrl: 'https://example.com/a',
    scheduledAt: inDays(3),
    timezone: 'Europe/Berlin',
    thread: [{ text: 'Two' }],
    platformOptions: { [api.first]: { text: "'=own" } },
    metadata: { a: 'b' },
    externalId: `ext-${format}`,
    aiGenerated: true,
  }
  const made = await api.send('POST', '/content/text', full)
  expect(made.error).toBeUndefined()
  for (const text of ["'=1", '@tower rings', '  spaced  '])
    expect(
      (
        await api.send('POST', '/content/text', {
          connections: [api.first],
          text,
          saveDraft: true,
          ...(text.startsWith('@') && { labels: [id] }),
        })
      ).error,
    ).toBeUndefined()
  const before = (await posts()).map(contentOf)
  const file = await download(`posts.${format}`)
  const cells = format === 'csv' ? file.split(/[\r\n,]+/).map((cell) => cell.replace(/^"/, '')) : []
  expect(cells.filter((cell) => /^[=+@]/.test(cell))).toEqual([])
  const here = (await api.send<Import>('POST', '/imports', { format, content: file, dryRun: false })).data
  expect(here.counts).toMatchObject({ exists: 4, created: 0 })

  const slugs = [api.first, api.second]
  await api.openWorkspace()
  await api.send<Label>('POST', '/labels', { name: format === 'csv' ? 'Summer' : 'Summer | rain', color: 'red' })
  expect([api.first, api.second]).toEqual(slugs)
  const wish = { format, content: file, dryRun: false, placement: 'scheduled', oldQueueStopped: true }
  const there = (await api.send<Import>('POST', '/imports', wish)).data
  expect(there.rows.map(({ status, message }) => [status, message])).toEqual(there.rows.map(() => ['created', null]))
  const after = (await posts()).map(contentOf)
  expect(after.toSorted((a, b) => (a.text ?? '').localeCompare(b.text ?? ''))).toEqual(
    before.toSorted((a, b) => (a.text ?? '').localeCompare(b.text ?? '')),
  )
})

test('has the posts that the filters of a list have', async () => {
  await api.openWorkspace()
  await api.send('POST', '/content/text', { connections: [api.first], text: 'Draft', saveDraft: true })
  await api.send('POST', '/content/text', { connections: [api.first], text: 'Later', scheduledAt: inDays(1) })
  const lines = (await download('posts.jsonl?status=scheduled')).trim().split('\n')
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ text: 'Later', status: 'scheduled' }])
})
