import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDraft, measureText } from '../check-draft.ts'
import { findLinksOf } from '../count-text.ts'
import { type Draft, textWithLink } from '../draft.ts'
import {
  type LinkTags,
  listTaggedLinks,
  listUnknownPlaceholders,
  readDomain,
  resolveLinkTags,
  tagDraft,
  tagLink,
  tagLinks,
} from './tag-links.ts'
import { testManifest } from '../test-manifest.fixture.ts'

const tags: LinkTags = {
  domains: ['example.com', 'xn--e1afmkfd.xn--p1ai'],
  parameters: [
    ['utm_source', 'belfry'],
    ['utm_medium', 'social'],
  ],
  counting: 'graphemes',
}
const weighted: LinkTags = { ...tags, counting: 'twitter-weighted' }
const added = 'utm_source=belfry&utm_medium=social'

test.each([
  ['https://example.com', `https://example.com/?${added}`],
  ['See https://example.com/a.', `See https://example.com/a?${added}.`],
  ['(https://shop.example.com:8443/a_(b))', `(https://shop.example.com:8443/a_(b)?${added})`],
  ['[x](https://example.com/a?b=1&c=%20%C3%BC#d)', `[x](https://example.com/a?b=1&c=%20%C3%BC&${added}#d)`],
  ['https://example.com/a?b=1& and', `https://example.com/a?b=1&${added} and`],
  ['https://example.com/a?', `https://example.com/a?${added}?`],
  ['HTTP://EXAMPLE.COM/A', `HTTP://EXAMPLE.COM/A?${added}`],
  ['https://пример.рф/путь', `https://пример.рф/путь?${added}`],
  ['https://example.com/?utm_medium=mail', 'https://example.com/?utm_medium=mail&utm_source=belfry'],
])('%j becomes %j', (text, expected) => {
  expect(tagLinks(text, tags)).toBe(expected)
})

test.each([
  'https://example.com/?utm_source=mine',
  'https://example.com/?UTM_Source=mine',
  'https://example.com/?utm%5Fsource=mine',
  'https://example.com/#utm_source=mine',
  'https://example.org/ https://notexample.com/ https://example.com.evil.org/ https://evil.org/example.com',
  'https://example.com@evil.org/',
  'example.com/a www.example.com me@example.com',
  'ftp://example.com/a',
  // The parameters would take in what follows.
  'https://example.com,https://example.com/b',
  'https://example.com、続き',
])('guarantee: %j stays as it is', (text) => {
  expect(tagLinks(text, tags)).toBe(text)
})

test('a link ends where the platform lets it end', () => {
  const text = 'https://example.com/a続き'
  expect(tagLinks(text, tags)).toBe(`https://example.com/a続き?${added}`)
  expect(tagLinks(text, weighted)).toBe(`https://example.com/a?${added}続き`)
})

const rule = {
  domains: ['example.com'],
  source: '{platform}',
  medium: 'social',
  campaign: '{title} {date}',
  content: '{account}',
}
const values = { platform: 'belfry', account: 'belfry-tower', date: '2026-11-19', title: ' Bells &\n more ' }

test('placeholders stand for values, and what stands for nothing is left out', () => {
  expect(resolveLinkTags(rule, values, testManifest).parameters).toEqual([
    ['utm_source', 'belfry'],
    ['utm_medium', 'social'],
    ['utm_campaign', 'Bells & more 2026-11-19'],
    ['utm_content', 'belfry-tower'],
  ])
  const empty = { ...rule, campaign: '{title}', term: ' ' }
  const names = resolveLinkTags(empty, { ...values, title: '' }, testManifest).parameters.map(([name]) => name)
  expect(names).toEqual(['utm_source', 'utm_medium', 'utm_content'])
  expect(resolveLinkTags({ ...rule, source: '{title}' }, { ...values, title: ' ' }, testManifest).parameters).toEqual([])
  expect(listUnknownPlaceholders('{date} {day} {}')).toEqual(['{day}', '{}'])
})

test('guarantee: a value cannot bring a placeholder, a parameter or the end of a link with it', () => {
  const hostile = resolveLinkTags(rule, { ...values, title: "{account}&a=b#c (d)'e." }, testManifest)
  const tagged = tagLinks('https://example.com/', hostile)
  expect([...new URL(tagged).searchParams.keys()]).toEqual(['utm_source', 'utm_medium', 'utm_campaign', 'utm_content'])
  expect(new URL(tagged).searchParams.get('utm_campaign')).toBe("{account}&a=b#c (d)'e. 2026-11-19")
  expect(findLinksOf(tagged, hostile).map(({ text }) => text)).toEqual([tagged])
})

test.each([
  ['Example.COM', 'example.com'],
  ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
  ['com', null],
  ['127.0.0.1', null],
  ['https://example.com', null],
  ['example.com/path', null],
  ['example.com:80', null],
  ['user@example.com', null],
  ['*.example.com', null],
  ['', null],
])('the domain %j is read as %j', (given, expected) => {
  expect(readDomain(given)).toBe(expected)
})

const draft: Draft = {
  type: 'text',
  format: 'text',
  text: 'News: https://example.com/a',
  title: null,
  firstComment: 'More: https://example.com/b',
  thread: [{ text: 'Then https://example.com/c' }],
  linkUrl: 'https://example.com/a',
  medias: [],
}

test('a link in a text and in its own field stays one link', () => {
  const noField = { ...testManifest, can: { ...testManifest.can, linkUrl: false } }
  const tagged = tagDraft(draft, tags)
  expect(textWithLink(tagged, noField)).toBe(`News: https://example.com/a?${added}`)
  // The link of this text cannot be tagged, so its own field is not either.
  const joined = tagDraft({ ...draft, text: 'https://example.com,then', linkUrl: 'https://example.com' }, tags)
  expect(textWithLink(joined, noField)).toBe('https://example.com,then')
  expect(listTaggedLinks(draft, tags)).toEqual(['a', 'c', 'b'].map((path) => `https://example.com/${path}?${added}`))
  expect(listTaggedLinks(draft, null)).toEqual([])
})

test('guarantee: what is counted is what is sent', () => {
  const max = 60
  const short = { ...testManifest, text: { ...testManifest.text, max } }
  const plain = { ...draft, linkUrl: null, thread: null, firstComment: null }
  expect(checkDraft(plain, short)).toEqual([])
  const tagged = tagDraft(plain, tags)
  expect(measureText(tagged, short).actual).toBe(tagged.text.length)
  expect(checkDraft(tagged, short)).toMatchObject([{ code: 'text_too_long', params: { actual: tagged.text.length } }])
})

describe('properties', () => {
  const address = fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://', ''),
      fc.constantFrom('example.com', 'a.example.com', 'EXAMPLE.com', 'пример.рф', 'example.org', 'example.com:81'),
      fc.string({ unit: fc.constantFrom(...'/?#&=%2.,()[]!aüж日、;@-_~') }),
    )
    .map((parts) => parts.join(''))
  const between = fc.string({ unit: fc.constantFrom(...' \n.,;:!?()[]<>"\'aüж日、#@/-…👍') })
  const texts = fc
    .array(fc.oneof(address, between, fc.constant('https://example.com/a?utm_source=mine')))
    .map((all) => all.join(''))
  const anyTags = fc
    .record({
      counting: fc.constantFrom('graphemes' as const, 'twitter-weighted' as const),
      source: fc.string({ minLength: 1 }),
      campaign: fc.string({ unit: 'grapheme' }),
    })
    .map(({ counting, source, campaign }) => ({
      ...resolveLinkTags({ ...rule, domains: [...tags.domains], source, campaign }, values, testManifest),
      counting,
    }))

  test('guarantee: tagging twice is tagging once', () => {
    fc.assert(
      fc.property(texts, anyTags, (text, each) => {
        const once = tagLinks(text, each)
        expect(tagLinks(once, each)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
  })

  test('guarantee: only links change, and each leads to the same page', () => {
    fc.assert(
      fc.property(texts, anyTags, (text, each) => {
        const once = tagLinks(text, each)
        const before = findLinksOf(text, each)
        const after = findLinksOf(once, each)
        // Every piece that was added is a run of parameters inside a link that the finder sees as a whole.
        let [from, to] = [0, 0]
        for (const link of before) {
          expect(once.slice(to, to + link.start - from)).toBe(text.slice(from, link.start))
          to += link.start - from
          const found = after.find(({ start }) => start === to)
          const tagged = tagLink(link.text, each)
          const isTagged = tagged !== link.text && once.startsWith(tagged, to) && found?.text === tagged
          if (isTagged) expectSamePage(link.text, tagged, each)
          expect(isTagged || once.startsWith(link.text, to)).toBe(true)
          to += isTagged ? tagged.length : link.text.length
          from = link.end
        }
        expect(once.slice(to)).toBe(text.slice(from))
      }),
      { numRuns: 2_000 },
    )
  })

  function expectSamePage(link: string, tagged: string, { parameters }: LinkTags): void {
    const [one, other] = [new URL(link), new URL(tagged)]
    expect([other.origin, other.pathname, other.hash]).toEqual([one.origin, one.pathname, one.hash])
    expect(one.searchParams.has('utm_source')).toBe(false)
    const kept = [...other.searchParams].slice(0, [...one.searchParams].length)
    expect(kept).toEqual([...one.searchParams])
    expect(other.searchParams.get('utm_source')).toBe(parameters[0]?.[1].toWellFormed())
  }

  test('a text of very many links takes a bounded time', () => {
    const many = 'https://example.com,'.repeat(2_500)
    const start = performance.now()
    expect(tagLinks(many, tags)).toBe(many)
    tagLinks('https://example.com/ '.repeat(2_500), tags)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})
