import { expect, test } from 'vitest'
import { formatDay } from './format-time.ts'
import { dayInFigures, readDay } from './read-day.ts'
import { addDays } from './zoned-day.ts'

// A Wednesday.
const today = '2027-03-03'

test.each([
  ['en-GB', '2027-03-28', '2027-03-28'],
  ['en-GB', '28/03/2027', '2027-03-28'],
  ['en-US', '03/28/2027', '2027-03-28'],
  ['en-US', '28/03/2027', null],
  ['de-DE', '28.3.27', '2027-03-28'],
  ['de-DE', '28.3.', '2027-03-28'],
  ['de-DE', '2.3.', '2028-03-02'],
  ['en-GB', '28 mar', '2027-03-28'],
  ['en-US', 'March 28, 2028', '2028-03-28'],
  ['de-DE', '28. März', '2027-03-28'],
  ['de-DE', '28 maerz', null],
  ['en-GB', '28032027', '2027-03-28'],
  ['en-US', '03282027', '2027-03-28'],
  ['en-GB', 'tomorrow', '2027-03-04'],
  ['de-DE', 'übermorgen', '2027-03-05'],
  ['en-GB', 'fri', '2027-03-05'],
  ['de-DE', 'Mi', '2027-03-03'],
  ['en-GB', '29/2', '2028-02-29'],
  ['en-GB', '31/2/2027', null],
  ['en-GB', '28', null],
  ['en-GB', 'soon', null],
  ['en-GB', '', null],
  ['en-GB', '1/2/3/4', null],
])('in %s, "%s" is %s', (language, typed, day) => {
  expect(readDay(typed, { today, language })).toBe(day)
})

test.each([
  ['en-GB', '28 mar', '2026-03-28'],
  ['de-DE', '2.3.', '2027-03-02'],
  ['en-GB', 'yesterday', '2027-03-02'],
  ['de-DE', 'vorgestern', '2027-03-01'],
  ['en-GB', 'fri', '2027-02-26'],
  ['en-GB', 'wed', '2027-03-03'],
  ['en-GB', '29/2', '2024-02-29'],
  ['en-GB', '28/03/2027', '2027-03-28'],
])('looking back in %s, "%s" is %s', (language, typed, day) => {
  expect(readDay(typed, { today, language, isPast: true })).toBe(day)
})

test.each(['en-GB', 'en-US', 'de-DE'])(
  'guarantee: in %s, what the field shows is read as the same day, for two years',
  (language) => {
    for (let day = today; day < '2029-03-03'; day = addDays(day, 1)) {
      expect(readDay(formatDay(day, 'day', language), { today, language })).toBe(day)
      expect(readDay(dayInFigures(day, language), { today, language })).toBe(day)
    }
  },
)
