import { expect, test } from 'vitest'
import { formatNumber } from './format-number.ts'

test.each([
  ['en', '1,188', '6K', '12.5K'],
  ['de', '1.188', '6.000', '12.500'],
])('in %s, thousands look alike in figures and charts', (language, plain, short, long) => {
  expect([
    formatNumber(1188, language),
    formatNumber(6000, language, 'compact'),
    formatNumber(12_500, language, 'compact'),
  ]).toEqual([plain, short, long])
})
