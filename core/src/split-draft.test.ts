import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDraft } from './check-draft.ts'
import type { Draft } from './draft.ts'
import { splitDraft } from './split-draft.ts'
import { testManifest } from './test-manifest.fixture.ts'

const draft: Draft = { type: 'text', format: 'text', text: '', title: null, firstComment: null, linkUrl: null, medias: [] }
const split = (text: string, isNumbered = false, more: Partial<Draft> = {}) => {
  const made = splitDraft({ ...draft, text, ...more }, testManifest, { isNumbered })
  return made && [made.text, ...made.thread.map((part) => part.text)]
}
const sentence = (length: number) => `${'a'.repeat(length - 1)}.`
const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(' ')

describe('a text that is too long for one post', () => {
  test('is not needed where it fits', () => expect(split('a'.repeat(300))).toBeNull())

  test('is cut between paragraphs, then between lines, sentences and words', () => {
    expect(split(`${words(25)}\n\n${sentence(120)} ${words(10)}`)).toEqual([words(25), `${sentence(120)} ${words(10)}`])
    expect(split(`${sentence(160)}\n${words(30)}`)).toEqual([sentence(160), words(30)])
    expect(split(`${sentence(100)} ${sentence(100)} ${words(30)}`)).toEqual([`${sentence(100)} ${sentence(100)}`, words(30)])
  })

  test('does not leave a very short post for the sake of a paragraph', () => {
    const parts = split(`Hello.\n\n${words(80)}`) ?? []
    expect(parts[0]?.length).toBeGreaterThan(200)
  })

  test('has its parts numbered, within the limit', () => {
    const parts = split(words(120), true) ?? []
    expect(parts.map((part) => part.split(' ').at(-1))).toEqual(parts.map((_, index) => `${index + 1}/${parts.length}`))
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(300)
  })

  test('is cut inside a word only if that is longer than a post, and never inside a link', () => {
    expect(split('x'.repeat(650))?.map((part) => part.length)).toEqual([300, 300, 50])
    expect(split('👨‍👩‍👧'.repeat(400))?.every((part) => /^(?:👨‍👩‍👧)+$/u.test(part))).toBe(true)
    const link = `https://tower.example/${'a'.repeat(400)}`
    expect(split(`Read ${link}`)?.join(' ')).toContain(link)
  })

  test('goes before the thread that is there, whose posts are cut too', () => {
    const parts = split(words(60), false, { thread: [{ text: 'short' }, { text: 'b '.repeat(200).trim() }] }) ?? []
    expect(parts).toContain('short')
    expect(parts.length).toBeGreaterThan(4)
  })
})

const pieces = fc.constantFrom(
  'Glocken',
  'läuten',
  'über',
  'die',
  'Stadt.',
  '鐘が鳴る。',
  '👩🏽‍🚒',
  '🇩🇪',
  'https://tower.example/a?b=c',
  '@belfry',
  '\n\n',
  'e\u0301',
)

test('property: every part fits, nothing is lost, and no word, link or emoji is cut', () => {
  fc.assert(
    fc.property(fc.array(pieces, { minLength: 60, maxLength: 400 }), fc.boolean(), (list, isNumbered) => {
      const text = list.join(' ')
      const parts = split(text, isNumbered)
      if (!parts) return
      for (const part of parts) expect(checkDraft({ ...draft, text: part }, testManifest)).toEqual([])
      const bare = isNumbered ? parts.map((part) => part.replace(/ \d+\/\d+$/, '')) : parts
      const wordsOf = (from: string) => from.split(/\s+|(?<=。)/).filter((word) => word !== '')
      expect(bare.flatMap(wordsOf)).toEqual(wordsOf(text))
    }),
    { numRuns: 60 },
  )
})

test('guarantee: a hostile text takes little time, with or without places to cut', () => {
  // Each is as long as the API accepts. The limit is of another order than a time that grows with the square of the length.
  for (const unit of ['a.co|', 'b ', '👨‍👩‍👧', 'https://a.co/']) {
    const before = process.threadCpuUsage()
    split(unit.repeat(Math.floor(25_000 / unit.length)), true)
    const { user, system } = process.threadCpuUsage(before)
    expect([unit, (user + system) / 1000 < 2_000]).toEqual([unit, true])
  }
})
