import { expect, test } from 'vitest'
import { formatDuration } from './format-number.ts'

test.each([
  [0, '0 sec'],
  [0.42, '0.4 sec'],
  [59.6, '60 sec'],
  [119, '119 sec'],
  [120, '2 min'],
  [7199, '120 min'],
  [9000, '2.5 hr'],
  [200_000, '2.3 days'],
])('%s seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds, 'en-GB').replace('hrs', 'hr').replace('secs', 'sec').replace('mins', 'min')).toBe(text)
})

test('German has its own units and comma', () => {
  expect(formatDuration(0.42, 'de-DE')).toBe('0,4 Sek.')
})
