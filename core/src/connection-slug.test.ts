import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectionSlug } from './connection-slug.ts'

test.each([
  ['bluesky', 'Ada.bsky.social', 'bluesky-ada.bsky.social'],
  ['mastodon', 'ada@example.social', 'mastodon-ada-example.social'],
  ['x', 'Ada_L', 'x-ada_l'],
  ['threads', 'ada 👍', 'threads-ada--'],
] as const)('on %s, the handle %j gives the slug %s', (platform, handle, slug) => {
  expect(connectionSlug(platform, handle, () => false)).toBe(slug)
})

test('a taken slug gets the first free number', () => {
  const taken = new Set<string>()
  for (const expected of ['x-ada', 'x-ada-2', 'x-ada-3']) {
    const slug = connectionSlug('x', 'ada', (candidate) => taken.has(candidate))
    expect(slug).toBe(expected)
    taken.add(slug)
  }
})

test('a slug contains only characters that are safe in a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (handle) => {
      expect(connectionSlug('x', handle, () => false)).toMatch(/^x-[a-z0-9._-]*$/)
    }),
  )
})
