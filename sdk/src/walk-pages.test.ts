import { expect, expectTypeOf, test } from 'vitest'
import { createCarillon, type Carillon } from './create-carillon.ts'
import { okReply, errorReply, startServer, type Reply } from './start-server.fixture.ts'
import type { AuditEntry, ExportPage, Media, Post } from './types.gen.ts'

/** Guarantee: every paginated list can be iterated to its end, whatever the shape of its pages. */
const walks = {
  'content.iterate': {
    walk: ({ content }) => content.iterate({ status: 'failed' }),
    page: (item, nextCursor) => ({ data: [item], meta: { nextCursor } }),
    first: '/api/content?limit=100&status=failed',
  },
  'media.iterate': {
    walk: ({ media }) => media.iterate({ type: 'video', limit: 5 }),
    page: (item, nextCursor) => ({ results: [item], total: 3, page: 1, limit: 5, nextCursor }),
    first: '/api/media?limit=5&type=video',
  },
  'workspaces.iterateAudit': {
    walk: ({ workspaces }) => workspaces.iterateAudit('w2'),
    page: (item, nextCursor) => ({ data: [item], nextCursor }),
    first: '/api/workspaces/w2/audit?limit=100',
  },
  'workspaces.iterateExport': {
    walk: ({ workspaces }) => workspaces.iterateExport('w2'),
    page: (item, nextCursor) => ({ ...item, part: 'posts', records: [], nextCursor }),
    first: '/api/workspaces/w2/export',
  },
} satisfies Record<string, Walk>

type Walk = {
  walk: (carillon: Carillon) => AsyncIterable<object>
  page: (item: { id: string }, nextCursor: string | null) => object
  first: string
}

async function startApi(...replies: Reply[]) {
  const server = await startServer(...replies)
  const carillon = createCarillon({ baseUrl: server.baseUrl, apiKey: 'sk_test', workspaceId: 'w1', retryDelayMs: 5 })
  return { server, carillon, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test.each(Object.entries<Walk>(walks))('%s follows the cursor from page to page', async (_name, { walk, page, first }) => {
  const pages = [page({ id: 'a' }, 'c1'), page({ id: 'b' }, 'c2'), page({ id: 'c' }, null)]
  await using api = await startApi(...pages.map(okReply))
  const found: object[] = []
  for await (const item of walk(api.carillon)) found.push(item)
  expect(found).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
  const separator = first.includes('?') ? '&' : '?'
  expect(api.server.requests.map(({ url }) => url)).toEqual([
    first,
    `${first}${separator}cursor=c1`,
    `${first}${separator}cursor=c2`,
  ])
})

test('a list without a cursor of its own goes on after the last id, until a page is empty', async () => {
  await using api = await startApi(okReply([{ id: 'a' }, { id: 'b' }]), okReply([{ id: 'c' }]), okReply([]))
  const found: string[] = []
  for await (const { id } of api.carillon.workspaces.iterate({ search: 'bell' })) found.push(id)
  expect(found).toEqual(['a', 'b', 'c'])
  expect(api.server.requests.map(({ url }) => url)).toEqual([
    '/api/workspaces?limit=100&search=bell',
    '/api/workspaces?limit=100&search=bell&cursor=b',
    '/api/workspaces?limit=100&search=bell&cursor=c',
  ])
})

test('requests a page only when it is needed, and none after the caller stops', async () => {
  await using api = await startApi(okReply({ data: [{ uploadId: 'a' }, { uploadId: 'b' }], meta: { nextCursor: 'c1' } }))
  const posts = api.carillon.content.iterate()
  expect(api.server.requests).toHaveLength(0)
  for await (const { uploadId } of posts) if (uploadId === 'b') break
  expect(api.server.requests).toHaveLength(1)
})

test('a failed page is retried like any call, and ends the iteration if it keeps failing', async () => {
  const page = okReply({ data: [{ uploadId: 'a' }], meta: { nextCursor: 'c1' } })
  await using api = await startApi(errorReply(503, 'unavailable'), page, errorReply(404, 'workspace_not_found'))
  const found: string[] = []
  const walk = async () => {
    for await (const { uploadId } of api.carillon.content.iterate()) found.push(uploadId)
  }
  await expect(walk()).rejects.toMatchObject({ code: 'workspace_not_found' })
  expect(found).toEqual(['a'])
})

test('each iteration yields the item type of its list', () => {
  type Item<Method extends (...args: never[]) => AsyncIterable<unknown>> =
    ReturnType<Method> extends AsyncIterable<infer Yielded> ? Yielded : never
  expectTypeOf<Item<Carillon['content']['iterate']>>().toEqualTypeOf<Post>()
  expectTypeOf<Item<Carillon['media']['iterate']>>().toEqualTypeOf<Media>()
  expectTypeOf<Item<Carillon['workspaces']['iterateAudit']>>().toEqualTypeOf<AuditEntry>()
  expectTypeOf<Item<Carillon['workspaces']['iterateExport']>>().toEqualTypeOf<ExportPage>()
})
