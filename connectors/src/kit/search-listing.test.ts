import { expect, test } from 'vitest'
import type { Match } from './compare-text.ts'
import { foundInListing, foundOfPublished, searchListing } from './search-listing.ts'

const window = { fromMs: 1_000_000, untilMs: 2_000_000 }
const noIds: ReadonlySet<string> = new Set()

type Row = readonly [id: string, atMs: number | null, match: Match]

function listing(...pages: Row[][]) {
  const read: (string | null)[] = []
  const readPage = async (cursor: string | null) => {
    read.push(cursor)
    const at = Number(cursor ?? 0)
    const posts = (pages[at] ?? []).map(([id, createdAtMs, match]) => ({ id, url: null, createdAtMs, compare: () => match }))
    return { posts, next: at + 1 < pages.length ? String(at + 1) : null }
  }
  return { readPage, read }
}

const absent = { state: 'absent', proof: 'listing' }
const unknown = { state: 'unknown' }
const unidentified = { state: 'unidentified' }
const published = { state: 'published', postId: 'ours' }
const early: Row = ['early', 900_000, 'same']

/** Guarantee: a listing proves something only if it covers the window and leaves no doubt. */
test.for<{ name: string; pages: Row[][]; found: object; whenPublished?: object; known?: string[] }>([
  { name: 'one equal post', pages: [[['ours', 1_500_000, 'same']]], found: published, whenPublished: published },
  {
    name: 'one equal post on the second page',
    pages: [[['new', 1_900_000, 'other']], [['ours', 1_500_000, 'same']]],
    found: published,
    whenPublished: published,
  },
  {
    name: 'a post with our key among equal ones',
    pages: [
      [
        ['a', 1_600_000, 'same'],
        ['ours', null, 'own'],
      ],
    ],
    found: published,
  },
  { name: 'a clock that is ahead', pages: [[['ours', 2_030_000, 'same']]], found: published, whenPublished: published },
  { name: 'a post after the window', pages: [[['late', 2_100_000, 'same']]], found: absent },
  { name: 'a post before the window', pages: [[early]], found: absent },
  {
    name: 'a post without a time may be an older one',
    pages: [[['ours', null, 'same']]],
    found: unknown,
    whenPublished: published,
  },
  { name: 'a time that cannot be read', pages: [[['ours', NaN, 'same']]], found: unknown, whenPublished: published },
  {
    name: 'two equal posts',
    pages: [
      [
        ['a', 1_600_000, 'same'],
        ['b', 1_500_000, 'same'],
      ],
    ],
    found: unknown,
  },
  { name: 'two equal posts on two pages', pages: [[['a', 1_600_000, 'same']], [['b', 1_500_000, 'same']]], found: unknown },
  {
    name: 'two equal posts, one of another channel',
    pages: [
      [
        ['a', 1_600_000, 'same'],
        ['ours', 1_500_000, 'same'],
      ],
    ],
    known: ['a'],
    found: published,
    whenPublished: published,
  },
  { name: 'only the post of another channel', pages: [[['a', 1_600_000, 'same']]], known: ['a'], found: absent },
  { name: 'a doubtful post', pages: [[['ours', 1_600_000, 'maybe']]], found: unknown, whenPublished: published },
  { name: 'nothing', pages: [[]], found: absent },
  {
    name: 'nothing on five pages of six',
    pages: Array.from({ length: 6 }, () => [['x', 1_600_000, 'other']] as Row[]),
    found: unknown,
  },
  {
    name: 'an equal post, but a listing that does not cover the window',
    pages: [[['ours', 1_600_000, 'same']], ...Array.from({ length: 5 }, () => [['x', 1_600_000, 'other']] as Row[])],
    found: unknown,
  },
])('$name', async ({ pages, found, whenPublished = unidentified, known = [] }) => {
  const search = await searchListing({ window, knownPostIds: new Set(known) }, listing(...pages).readPage)
  expect(foundInListing(search)).toMatchObject(found)
  expect(foundOfPublished(search)).toMatchObject(whenPublished)
})

/** Guarantee: it is said how a post was found, because equal words may be those of another channel. */
test('only a post with our key is found without words', async () => {
  const found = async (match: Match) => {
    const pages = listing([['ours', 1_500_000, match]])
    return foundInListing(await searchListing({ window, knownPostIds: noIds }, pages.readPage))
  }
  expect([await found('own'), await found('same')]).toEqual([
    { ...published, postUrl: null },
    { ...published, postUrl: null, byWords: true },
  ])
})

test('reading ends where the window ends, unless the listing has no order', async () => {
  const pages: Row[][] = [[early], [['ours', 1_500_000, 'same']]]
  const ordered = listing(...pages)
  expect(foundInListing(await searchListing({ window, knownPostIds: noIds }, ordered.readPage))).toEqual(absent)
  expect(ordered.read).toEqual([null])
  const unordered = listing(...pages)
  const search = await searchListing({ window, knownPostIds: noIds }, unordered.readPage, { isNewestFirst: false })
  expect(foundInListing(search)).toMatchObject(published)
})

test('a pinned post that stands first does not end the reading', async () => {
  const pinned = listing([early, ['new', 1_900_000, 'other']], [['ours', 1_500_000, 'same']])
  expect(foundInListing(await searchListing({ window, knownPostIds: noIds }, pinned.readPage))).toMatchObject(published)
})
