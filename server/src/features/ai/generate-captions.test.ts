import { manifests } from '@carillon/connectors/manifests'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitCaption, fits } from './generate-captions.ts'

/** Guarantee: a caption never exceeds a platform's limit, and is cut after a sentence or a word if possible. */
const { x, bluesky, threads } = manifests
const sentence = 'The bells ring at nine and everybody is welcome to listen. '

test('a text that fits is not changed', () => {
  expect(fitCaption('The bells ring at nine.', x.text)).toBe('The bells ring at nine.')
})

test('a long text ends after a whole sentence', () => {
  expect(fitCaption(sentence.repeat(9), x.text)).toBe(sentence.repeat(4).trimEnd())
})

test('a long sentence ends after a whole word, with an ellipsis', () => {
  const cut = fitCaption(`Hi! ${'bells and towers, '.repeat(40)}`, x.text)
  expect(cut).toMatch(/^Hi! bells .*(bells|and|towers)…$/)
  expect(fits(cut, x.text)).toBe(true)
})

test('a link is kept whole or left out', () => {
  const link = `https://example.com/${'a'.repeat(200)}`
  const cut = fitCaption(`${'word '.repeat(30)}${link} and more words after it`, bluesky.text)
  expect(cut).not.toContain('example')
})

test('one very long word is cut too', () => {
  const cut = fitCaption('a'.repeat(1000), x.text)
  expect(fits(cut, x.text)).toBe(true)
  expect(cut.length).toBeGreaterThan(200)
})

test('a sixth link is left out if five are allowed', () => {
  const text = Array.from({ length: 7 }, (_, at) => `See https://example.com/${at} today.`).join(' ')
  const cut = fitCaption(text, threads.text)
  expect(fits(cut, threads.text)).toBe(true)
  expect(cut).not.toContain('example.com/5')
})

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.webUrl(),
  fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', '1️⃣', 'é', '。', '. ', ' ', '\n', '@ringer@tower.example', '鐘が鳴る。', 'bells', 'example.com'),
)

test.each(Object.values(manifests))('any text fits $name afterwards', ({ text: rules }) => {
  const anyText = fc.array(piece, { minLength: 1, maxLength: 80 }).map((pieces) => pieces.join(' ').trim())
  fc.assert(
    fc.property(anyText, (text) => {
      const cut = fitCaption(text, rules)
      expect(fits(cut, rules)).toBe(true)
      expect(cut === '').toBe(text === '')
    }),
  )
})
