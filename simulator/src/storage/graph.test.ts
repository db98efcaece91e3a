import { expect, test } from 'vitest'
import { decodeGraph, encodeGraph, type Graph } from './graph.ts'

test('objects that refer to each other are the same objects after they were stored as JSON', () => {
  const files = new Map<string, Buffer>()
  const store = {
    write(bytes: Buffer) {
      files.set('one', bytes)
      return 'one'
    },
    read: (name: string) => files.get(name) ?? Buffer.alloc(0),
  }
  const account: { handle: string; posts: unknown[] } = { handle: 'alice', posts: [] }
  const post = { account, endsAtMs: Infinity, media: Buffer.from('picture'), parent: null, gone: undefined }
  account.posts.push(post)
  const stored = JSON.stringify(encodeGraph({ post, byAccount: new Map([[account, new Set([post])]]) }, store))
  const read = decodeGraph(JSON.parse(stored) as Graph, store) as { post: typeof post; byAccount: Map<unknown, Set<unknown>> }
  expect(read.post).toEqual({ account: read.post.account, endsAtMs: Infinity, media: Buffer.from('picture'), parent: null })
  expect(read.post.account.posts[0]).toBe(read.post)
  expect(read.byAccount.get(read.post.account)?.has(read.post)).toBe(true)
})
