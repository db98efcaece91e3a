import { expect, test } from 'vitest'
import { compareCaption } from './find.ts'

/** Guarantee: a post without a readable caption is never certain to be ours. */
test.for([
  ['Bells', { caption: 'Bells' }, 'same'],
  ['Bells', { caption: 'Towers' }, 'other'],
  ['Bells', {}, 'maybe'],
  ['', {}, 'maybe'],
] as const)('%s / %o', ([text, shown, match]) => {
  expect(compareCaption({ text }, shown)).toBe(match)
})
