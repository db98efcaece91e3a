import { expect, test } from 'vitest'
import { createRouter } from './create-router.ts'

const match = createRouter([
  { method: 'GET', path: '/posts/summary' },
  { method: 'GET', path: '/posts/:id' },
  { method: 'DELETE', path: '/posts/:id' },
  { method: 'GET', path: '/avatar/:handle.png' },
  { method: 'GET', path: '/@:handle/post/:code' },
] as const)

test.each([
  ['GET', '/posts/summary', '/posts/summary', {}],
  ['GET', '/posts/urn%3Ali%3Ashare%3A1', '/posts/:id', { id: 'urn:li:share:1' }],
  ['DELETE', '/posts/a%2Fb', '/posts/:id', { id: 'a/b' }],
  ['GET', '/avatar/alice.bsky.test.png', '/avatar/:handle.png', { handle: 'alice.bsky.test' }],
  ['GET', '/@alice.b-c/post/x-1', '/@:handle/post/:code', { handle: 'alice.b-c', code: 'x-1' }],
  ['GET', `/posts/${'a'.repeat(500)}`, '/posts/:id', { id: 'a'.repeat(500) }],
])('%s %s matches a route and its parameters are decoded', (method, path, route, params) => {
  expect(match(method, path)).toMatchObject({ route: { path: route }, params })
})

test.each([
  ['PUT', '/posts/1'],
  ['UNKNOWN', '/posts/1'],
  ['GET', '/posts/1/'],
  ['GET', '/posts/%zz'],
])('%s %s matches no route', (method, path) => {
  expect(match(method, path)).toBeUndefined()
})
