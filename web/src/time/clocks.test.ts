import { expect, test } from 'vitest'
import { readClocks } from './clocks.ts'

const style = { zone: 'Europe/Berlin', language: 'en-GB' }
const at = '2027-03-03T00:00:00Z'

test('guarantee: a time that was chosen in another zone is shown there and for the reader', () => {
  expect(readClocks(at, { style, zone: 'Asia/Tokyo', ownZone: 'Europe/Berlin', shape: 'time' })).toEqual({
    there: '09:00',
    city: 'Tokyo',
    here: '01:00',
  })
})

test('the day of the reader is named where it is another one', () => {
  const { there, here } = readClocks(at, { style, zone: 'Asia/Tokyo', ownZone: 'America/New_York', shape: 'dayAndTime' })
  expect([there, here]).toEqual(['Wed 3 Mar, 09:00', 'Tue 2 Mar, 19:00'])
})

test('nothing is said twice where both clocks show the same', () => {
  for (const ownZone of ['Europe/Berlin', 'Europe/Paris'])
    expect(readClocks(at, { style, zone: 'Europe/Berlin', ownZone, shape: 'time' })).toEqual({
      there: '01:00',
      city: 'Berlin',
      here: null,
    })
})
