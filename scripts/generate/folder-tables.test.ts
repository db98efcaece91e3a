import { expect, test } from 'vitest'
import { firstSentence } from './folder-tables.ts'

/** Guarantee: the architecture page says of a folder what the folder says of itself. */
test.each([
  ['# live\n\nThe stream that tells open pages what changed.\n', 'The stream that tells open pages what changed.'],
  ['# a\n\nReads `b.ts` and\nc. Then more.\n\nOther text.\n', 'Reads `b.ts` and c.'],
  ['# a\n\nThe client of [Carillon](https://example.com), in Node 20. It runs.\n', 'The client of Carillon, in Node 20.'],
  ['# a\n\nBehaves as <!-- platforms:all -->X and Y<!-- /platforms -->\ndo. It records.\n', 'Behaves as the platforms do.'],
  ['# a\n\nReads A | B\n', 'Reads A \\| B'],
  ['# a\n', ''],
  ['', ''],
])('%j is told as %j', (readme, sentence) => {
  expect(firstSentence(readme)).toBe(sentence)
})
