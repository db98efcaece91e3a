import { expect, test } from 'vitest'
import { comparableText } from './find.ts'

/** Guarantee: a text is recognised after X has changed it, and a different text is not. */
test.for([
  ['Bells & towers <3', 'Bells &amp; towers &lt;3'],
  ['See https://carillon.example/a?b=1 now', 'See https://t.co/AbC123 now'],
  ['See carillon.example/a now', 'See https://t.co/AbC123 now'],
  ['Photo', 'Photo https://t.co/AbC123'],
  ['Two\n\nlines', 'Two\nlines'],
  ['Cafe\u0301', 'Café'],
] as const)('%s', ([sent, shown]) => {
  expect(comparableText(shown)).toBe(comparableText(sent))
})

test('different texts differ', () => {
  expect(comparableText('Bells at 12')).not.toBe(comparableText('Bells at 13'))
})
