import { expect, test } from 'vitest'
import { cutText } from './cut-text.ts'

test.each([
  ['short', 5, 'short'],
  ['shorter', 5, 'short'],
  ['', 3, ''],
])('%j is cut to %d units', (text, max, cut) => {
  expect(cutText(text, max)).toBe(cut)
})

test.each(['😀', '𐀀', '𠮷', '\u{10ffff}'])('guarantee: %s is never cut in half', (character) => {
  expect(cutText(`ab${character}`, 3)).toBe('ab')
  expect(cutText(`ab${character}c`, 4)).toBe(`ab${character}`)
})
