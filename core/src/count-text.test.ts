import type { Counting, TextRules } from '@carillon/contract'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countText } from './count-text.ts'
import { testManifest } from './test-manifest.fixture.ts'

function rules(counting: Counting, more: Partial<TextRules> = {}): TextRules {
  return { ...testManifest.text, max: 500, counting, linkCost: null, bytesMax: null, linksMax: null, ...more }
}

const x = rules('twitter-weighted', { linkCost: 23 })
const mastodon = rules('graphemes', { linkCost: 23, shortMentions: true })
const threads = rules('threads-emoji-bytes')
const family = '👨‍👩‍👧‍👦'
const england = '🏴󠁧󠁢󠁥󠁮󠁧󠁿'

describe('X', () => {
  test.each([
    ['', 0],
    ['hello', 5],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['…', 2],
    ['“quoted”', 8],
    ['👍', 2],
    ['👍🏽', 2],
    [family, 2],
    [england, 2],
    ['🇫🇷🇩🇪', 4],
    ['1️⃣', 2],
    ['❤️‍🔥', 2],
    ['❤', 2],
    ['❤\uFE0E', 4],
    ['©', 1],
    ['©️', 2],
    ['123', 3],
    ['https://example.com/a/very/long/path/that/goes/on/and/on', 23],
    ['see http://a.co.', 28],
    ['example.com', 23],
    ['(example.com/a_(b))', 25],
    ['ada@example.com', 15],
    ['@example.com', 12],
    ['https://example.comこれ', 27],
    ['readme.md and v1.2', 18],
  ])('%j counts %i', (text, count) => {
    expect(countText(text, x)).toBe(count)
  })

  test('combining marks after an emoji are counted', () => {
    expect(countText('👍' + '\u0301'.repeat(300), x)).toBe(302)
  })
})

describe('Mastodon', () => {
  test.each([
    [family, 1],
    ['e\u0301', 1],
    ['https://example.com/' + 'a'.repeat(200), 23],
    ['example.com', 11],
    ['@ada@example.social hi', 7],
    ['@ada hi', 7],
    ['a@ada@example.social', 20],
    ['https://example.social/@ada@other.example', 23],
    ['https://example.social/鐘?q=鐘#鐘', 23],
    ['(https://example.social/a)鐘', 26],
    ['https://example.social/a_(b)鐘', 23],
    ['@ada@example.social, @bob@b.example: https://a.example/x.', 36],
  ])('%j counts %i', (text, count) => {
    expect(countText(text, mastodon)).toBe(count)
  })
})

describe('Threads', () => {
  test.each([
    ['hello', 5],
    ['日本', 2],
    ['👍', 4],
    ['👍🏽', 8],
    [family, 25],
    ['1️⃣', 7],
    ['a👍b', 6],
  ])('%j counts %i', (text, count) => {
    expect(countText(text, threads)).toBe(count)
  })
})

test.each([
  ['codepoints', 7],
  ['utf16', 11],
  ['utf8-bytes', 25],
  ['graphemes', 1],
] as const)('a family emoji counted in %s is %i', (counting, count) => {
  expect(countText(family, rules(counting))).toBe(count)
})

test('plain ASCII text has the same length under every counting rule', () => {
  const words = fc.stringMatching(/^[a-z ]{0,80}$/)
  const countings: readonly Counting[] = [
    'graphemes',
    'twitter-weighted',
    'threads-emoji-bytes',
    'codepoints',
    'utf16',
    'utf8-bytes',
  ]
  fc.assert(
    fc.property(words, fc.constantFrom(...countings), (text, counting) => {
      expect(countText(text, rules(counting, { linkCost: 23, shortMentions: true }))).toBe(text.length)
    }),
  )
})

test('every non-empty text has a length of at least one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.constantFrom(x, mastodon, threads), (text, platform) => {
      expect(countText(text, platform)).toBeGreaterThanOrEqual(text === '' ? 0 : 1)
    }),
  )
})

test('no input makes counting slow', () => {
  const slowCandidates = [
    'a.'.repeat(50_000),
    'https://'.repeat(12_000),
    '@a'.repeat(50_000),
    'a-'.repeat(50_000),
    'https://a.com/' + '('.repeat(100_000),
  ]
  const startedMs = performance.now()
  for (const text of slowCandidates) for (const platform of [x, mastodon]) countText(text, platform)
  expect(performance.now() - startedMs).toBeLessThan(5_000)
})
