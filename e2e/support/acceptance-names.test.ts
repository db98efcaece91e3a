import { expect, test } from 'vitest'
import { acceptanceNames } from './acceptance-names.ts'

/** Guarantee: who names one file runs one file, and who names the suite runs all of it. */
test.each([
  [[], []],
  [['acceptance'], []],
  [['acceptance', 'webhooks'], ['webhooks']],
  [['acceptance/webhooks.test.ts'], ['acceptance/webhooks.test.ts']],
  [
    ['webhooks', 'media'],
    ['webhooks', 'media'],
  ],
])('%j', (words, names) => {
  expect(acceptanceNames(words)).toEqual(names)
})
