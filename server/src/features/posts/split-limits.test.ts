import { connectors } from '@carillon/connectors'
import { checkDraft, findLinks, splitDraft, type Draft } from '@carillon/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'

const draft: Draft = { type: 'text', format: 'text', text: '', title: null, firstComment: null, linkUrl: null, medias: [] }
const lengthMin = 3000

const word = fc.constantFrom(
  'bells',
  'tower',
  'Glöckner',
  'läuten',
  'naïve',
  'the',
  'a',
  'of',
  'Donaudampfschifffahrtsgesellschaftskapitän',
  'колокол',
  '鐘が鳴る',
  '👩🏽‍🚒',
  '🇩🇪🇫🇷',
  '❤️',
  '👨‍👩‍👧‍👦',
  '1️⃣',
  'e\u0301tude',
  '“quoted”',
  '@belfry',
  '@ring@tower.example',
  '#bells',
  '$BELL',
  'https://tower.example/a_(b)?hour=12#noon',
  'tower.com/visit',
  '5 €',
  'a–b',
)
const sentence = fc.tuple(fc.array(word, { minLength: 3, maxLength: 18 }), fc.constantFrom('.', '!', '?', '…', '。'))
const text = fc
  .array(fc.tuple(sentence, fc.constantFrom(' ', ' ', ' ', '\n', '\n\n')), { minLength: 60, maxLength: 90 })
  .map((list) =>
    list
      .map(([[words, end], gap]) => `${words.join(' ')}${end}${gap}`)
      .join('')
      .trim(),
  )
  .filter(({ length }) => length >= lengthMin)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const wordsOf = (from: string) => from.split(/\s+|(?<=[。！？；，、])/u).filter((each) => each !== '')
const graphemesOf = (from: string) =>
  Array.from(graphemes.segment(from), ({ segment }) => segment).filter((each) => each.trim() !== '')
const linksOf = (from: string) => findLinks(from, { bare: true }).map((link) => link.text)

/** Guarantee: a long text becomes posts that each fit, and reads well at the seams: no word, link or emoji is cut, and nothing is lost. */
test.each(['x', 'bluesky', 'threads', 'mastodon'] as const)('a text of 3,000 characters, split for %s', (platform) => {
  const { manifest } = connectors[platform]
  // What is not about length does not matter here: X takes one cashtag, Threads five links.
  const isTooLong = (part: string) =>
    checkDraft({ ...draft, text: part }, manifest).some(({ code }) => code.startsWith('text_too_long'))
  fc.assert(
    fc.property(text, fc.boolean(), (whole, isNumbered) => {
      const made = splitDraft({ ...draft, text: whole }, manifest, { isNumbered })
      const parts = made ? [made.text, ...made.thread.map((part) => part.text)] : [whole]
      expect(parts.length).toBeGreaterThan(1)
      expect(parts.filter(isTooLong)).toEqual([])
      const bare = isNumbered ? parts.map((part) => part.replace(/ \d+\/\d+$/, '')) : parts
      expect(bare.flatMap(wordsOf)).toEqual(wordsOf(whole))
      expect(bare.flatMap(linksOf)).toEqual(linksOf(whole))
      expect(bare.flatMap(graphemesOf)).toEqual(graphemesOf(whole))
      for (const part of bare) expect(part).toBe(part.trim())
    }),
    { numRuns: 15, endOnFailure: true },
  )
})

/** Guarantee: where a text has sentences of ordinary length, a post ends with one. */
test.each(['x', 'bluesky', 'threads'] as const)('posts end with a sentence or a paragraph on %s', (platform) => {
  const { manifest } = connectors[platform]
  const words = fc.array(fc.constantFrom('bells', 'ring', 'over', 'the', 'town', 'every', 'hour'), {
    minLength: 4,
    maxLength: 12,
  })
  const sentences = fc
    .array(words, { minLength: 80, maxLength: 100 })
    .map((list) => list.map((each) => `${each.join(' ')}.`).join(' '))
  fc.assert(
    fc.property(sentences, (whole) => {
      const made = splitDraft({ ...draft, text: whole }, manifest, { isNumbered: false })
      for (const part of [made?.text, ...(made?.thread ?? []).map((each) => each.text)]) expect(part).toMatch(/\.$/)
    }),
    { numRuns: 15, endOnFailure: true },
  )
})
