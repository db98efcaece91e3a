import { expect, test } from 'vitest'
import { excerptOf } from './excerpt-of.ts'

test.each([
  ['Evensong at six', 'Evensong at six'],
  ['', 'Untitled'],
  ['First line\nSecond line', 'First line'],
  [
    'The new bell is in the tower. Come and hear it on Saturday at nine: https://example.com/tower',
    'The new bell is in the tower. Come and hear it on Saturday at nine…',
  ],
  ['x'.repeat(90), `${'x'.repeat(80)}…`],
])('guarantee: the text %j is called %j', (text, excerpt) => {
  expect(excerptOf({ title: null, text }, 'Untitled')).toBe(excerpt)
})
