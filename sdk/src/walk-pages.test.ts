import { expect, expectTypeOf, test } from 'vitest'
import { createCarillon, type Carillon } from './create-carillon.ts'
import { ok, refusal, startServer, type Reply } from './server.fixture.ts'
import type { AuditEntry, ExportPage, Media, Post } from './types.gen.ts'

/** Guarantee: every list in pages can be walked to its end, whatever its pages look like. */
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

async function start(...replies: Reply[]) {
  const server = await startServer(...replies)
  const carillon = createCarillon({ baseUrl: server.baseUrl, apiKey: 'sk_test', workspaceId: 'w1', retryDelayMs: 5 })
  return { server, carillon, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test.each(Object.entries<Walk>(walks))('%s goes on from cursor to cursor', async (_name, { walk, page, first }) => {
  const pages = [page({ id: 'a' }, 'c1'), page({ id: 'b' }, 'c2'), page({ id: 'c' }, null)]
  await using world = await start(...pages.map(ok))
  const found: object[] = []
  for await (const item of walk(world.carillon)) found.push(item)
  expect(found).toMatchObject([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
  const and = first.includes('?') ? '&' : '?'
  expect(world.server.seen.map(({ url }) => url)).toEqual([first, `${first}${and}cursor=c1`, `${first}${and}cursor=c2`])
})

test('asks for no page before it is needed, and for none after the caller has enough', async () => {
  await using world = await start(ok({ data: [{ uploadId: 'a' }, { uploadId: 'b' }], meta: { nextCursor: 'c1' } }))
  const posts = world.carillon.content.iterate()
  expect(world.server.seen).toHaveLength(0)
  for await (const { uploadId } of posts) if (uploadId === 'b') break
  expect(world.server.seen).toHaveLength(1)
})

test('a page that fails is repeated like any call, and ends the walk when it stays so', async () => {
  const page = ok({ data: [{ uploadId: 'a' }], meta: { nextCursor: 'c1' } })
  await using world = await start(refusal(503, 'unavailable'), page, refusal(404, 'workspace_not_found'))
  const found: string[] = []
  const walk = async () => {
    for await (const { uploadId } of world.carillon.content.iterate()) found.push(uploadId)
  }
  await expect(walk()).rejects.toMatchObject({ code: 'workspace_not_found' })
  expect(found).toEqual(['a'])
})

test('each walk gives what its list holds', () => {
  type Item<Method extends (...args: never[]) => AsyncIterable<unknown>> =
    ReturnType<Method> extends AsyncIterable<infer One> ? One : never
  expectTypeOf<Item<Carillon['content']['iterate']>>().toEqualTypeOf<Post>()
  expectTypeOf<Item<Carillon['media']['iterate']>>().toEqualTypeOf<Media>()
  expectTypeOf<Item<Carillon['workspaces']['iterateAudit']>>().toEqualTypeOf<AuditEntry>()
  expectTypeOf<Item<Carillon['workspaces']['iterateExport']>>().toEqualTypeOf<ExportPage>()
})
