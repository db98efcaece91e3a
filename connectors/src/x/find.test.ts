import { expect, test } from 'vitest'
import { linearGrowthMax, measureGrowth } from '../../test/measure-growth.ts'
import { createHttp } from '../kit/create-http.ts'
import { classify } from './errors.ts'
import { compareTweet, findAmongRecent } from './find.ts'

const link = (target: string, more: object = {}) => ({ urls: [{ url: 'https://t.co/AbC123', expanded_url: target, ...more }] })
const media = link('https://x.com/bells/status/12/photo/1', { media_key: '3_12' })

/** Guarantee: a text is recognised after X has changed it, and a text with another link is not. */
test.for([
  ['Bells & towers <3', 'Bells &amp; towers &lt;3', undefined, 'same'],
  ['See https://carillon.example/a?b=1 now', 'See https://t.co/AbC123 now', link('https://carillon.example/a?b=1'), 'same'],
  ['See carillon.example/a now', 'See https://t.co/AbC123 now', link('http://carillon.example/a'), 'same'],
  ['See https://carillon.example', 'See https://t.co/AbC123', link('https://carillon.example/'), 'same'],
  [
    'See https://a.example/',
    'See https://t.co/AbC123',
    link('https://s.example/1', { unwound_url: 'https://a.example/' }),
    'same',
  ],
  ['Photo', 'Photo https://t.co/AbC123', media, 'same'],
  ['Two\n\nlines', 'Two\nlines', undefined, 'same'],
  ['Cafe\u0301', 'Café', undefined, 'same'],
  ['New: https://a.example/two', 'New: https://t.co/AbC123', link('https://a.example/one'), 'maybe'],
  ['New: https://a.example/two', 'New: https://t.co/AbC123', undefined, 'maybe'],
  ['Bells at 12', 'Bells at 13', undefined, 'other'],
  ['', 'https://t.co/AbC123', media, 'maybe'],
] as const)('%s / %s', ([sent, text, entities, match]) => {
  expect(compareTweet(sent, { text, ...(entities && { entities }) })).toBe(match)
})

test('a hostile megabyte is compared in linear time', () => {
  for (const part of ['a', 'a.', '/', 'https://', 'https://t.co/', '&amp;', ' ', '<']) {
    const text = part.repeat(1_000_000 / part.length)
    expect(compareTweet('Bells', { text })).toBe('other')
    // The sent text is not limited by the platform, so it is scanned in linear time too.
    expect(measureGrowth(text, (sent) => compareTweet(sent, { text: 'Bells' }))).toBeLessThan(linearGrowthMax)
    expect(measureGrowth(text, (shown) => compareTweet('Bells', { text: shown }))).toBeLessThan(linearGrowthMax)
  }
})

/** Guarantee: the listing is read page by page until it covers the window. */
test('a post on the second page is found, and two equal ones on two pages are unknown', async () => {
  const tweet = (id: string, text: string) => ({ id, text, created_at: '2026-11-15T12:00:00.000Z' })
  const atMs = Date.parse('2026-11-15T12:00:00.000Z')
  const sentPost = (text: string) => ({
    draft: { format: 'text', text, title: null, linkUrl: null, media: [], settings: {}, replyTo: null } as const,
    staged: null,
    handle: { key: 'k', atMs: 0 },
    window: { fromMs: atMs - 1000, untilMs: atMs },
    knownPostIds: new Set<string>(),
  })
  const pages: Record<string, object> = {
    first: { data: [tweet('3', 'Bells'), tweet('2', 'Towers')], meta: { next_token: 'second' } },
    second: { data: [tweet('1', 'Bells'), tweet('0', 'Clocks')], meta: {} },
  }
  const asked: (string | null)[] = []
  const http = createHttp({
    transport: async ({ url }) => {
      asked.push(new URL(url).searchParams.get('start_time'))
      const page = pages[new URL(url).searchParams.get('pagination_token') ?? 'first']
      return { status: 200, headers: {}, text: async () => JSON.stringify(page) }
    },
    origin: 'https://api.x.example',
    credentials: null,
    classify,
    nowMs: () => atMs,
  })
  const client = { http, account: { id: '7', handle: 'bells' }, credentials: { accessToken: '' } }
  expect(await findAmongRecent(client, sentPost('Clocks'))).toMatchObject({ state: 'published', postId: '0' })
  expect(await findAmongRecent(client, sentPost('Bells'))).toEqual({ state: 'unknown' })
  expect(await findAmongRecent(client, sentPost('Nothing'))).toEqual({ state: 'absent', proof: 'listing' })
  // X bills each post that it lists, so older ones than the send are not asked for.
  expect(new Set(asked)).toEqual(new Set(['2026-11-15T11:59:00Z']))
})
