import { expect, test } from 'vitest'
import { findMentions } from './find-mentions.ts'

const members = [
  { userId: 'a', name: 'Ada' },
  { userId: 'b', name: 'Ada Bell' },
  { userId: 'c', name: 'Çelik' },
  { userId: 'n', name: '' },
]

/** Guarantee: a comment mentions whom it names, and nobody else. */
test.each([
  ['@Ada please look', ['a']],
  ['@ada bell, and @Ada', ['b', 'a']],
  ['(@Çelik)', ['c']],
  ['@Adam and ada@Ada.example', []],
  ['Ada', []],
  ['@', []],
  ['@Ada @Ada', ['a']],
])('%j mentions %j', (text, found) => {
  expect(findMentions(text, members)).toEqual(found)
})
