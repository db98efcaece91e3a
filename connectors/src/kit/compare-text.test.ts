import { expect, test } from 'vitest'
import { linearGrowthMax, measureGrowth } from '../../test/measure-growth.ts'
import { compareText } from './compare-text.ts'

/** Guarantee: two texts are the same only if their words and their links are. */
test.for([
  ['Bells', 'Bells', 'same'],
  ['Two\n\nlines ', 'Two lines', 'same'],
  ['Cafe\u0301', 'Café', 'same'],
  ['Bells at 12', 'Bells at 13', 'other'],
  ['New: https://a.example/one', 'New: https://a.example/two', 'maybe'],
  ['New: a.example/one', 'New: https://s.example/x', 'maybe'],
  ['New: https://a.example/one', 'Old: https://a.example/one', 'other'],
  ['', '', 'maybe'],
] as const)('%s / %s', ([sent, shown, match]) => {
  expect(compareText(sent, shown)).toBe(match)
})

test('a hostile megabyte is compared in linear time', () => {
  const texts = ['a'.repeat(1_000_000), '. '.repeat(500_000), ' '.repeat(1_000_000), 'e' + '\u0301\u0316'.repeat(500_000)]
  for (const text of texts) {
    expect(compareText('Bells', text)).toBe('other')
    expect(measureGrowth(text, (shown) => compareText('Bells', shown))).toBeLessThan(linearGrowthMax)
  }
})
