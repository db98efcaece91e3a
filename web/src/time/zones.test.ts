import { expect, test } from 'vitest'
import { describeZone, findZones, formatOffset, offerZones } from './zones.ts'

const winter = { language: 'en-GB', at: '2027-01-15T12:00:00Z' }
const first = (typed: string, style = winter) => findZones(typed, style)[0]?.city

test.each([
  ['tok', 'Tokyo'],
  ['New York', 'New York'],
  ['new_york', 'New York'],
  ['America/New_York', 'New York'],
  ['sao paulo', 'Sao Paulo'],
  ['São Paulo', 'Sao Paulo'],
  ['Zürich', 'Zurich'],
  ['munich', 'Berlin'],
  ['San Francisco', 'Los Angeles'],
  ['kyiv', 'Kyiv'],
  ['mumbai', 'Kolkata'],
  ['PST', 'Los Angeles'],
  ['utc', 'UTC'],
  ['mitteleuropäische zeit', undefined],
])('guarantee: whoever types "%s" is offered %s first', (typed, city) => {
  expect(first(typed)).toBe(city)
})

test('in German, German names are found', () => {
  const style = { ...winter, language: 'de-DE' }
  expect([first('Tokio', style), first('Wien', style), first('München', style)]).toEqual(['Tokyo', 'Vienna', 'Berlin'])
  expect(findZones('Mitteleuropäische Zeit', style).map(({ city }) => city)).toContain('Berlin')
})

test('guarantee: an offset finds the zones that have it at that moment, in summer others than in winter', () => {
  const cities = (typed: string, at: string) => findZones(typed, { ...winter, at }).map(({ city }) => city)
  expect(cities('+9', winter.at)).toContain('Tokyo')
  expect(cities('UTC-3:30', winter.at)).toEqual(['St Johns'])
  expect(cities('gmt +530', winter.at)).toContain('Kolkata')
  expect([cities('+1', winter.at).includes('Berlin'), cities('+1', '2027-07-15T12:00:00Z').includes('Berlin')]).toEqual([
    true,
    false,
  ])
})

test('nonsense finds nothing, and nothing typed finds nothing', () => {
  expect([findZones('nowhere at all', winter), findZones('  ', winter)]).toEqual([[], []])
})

test('before anything is typed, the zones of this person come first and are not repeated', () => {
  const { recent, usual } = offerZones(['Asia/Tokyo', 'Europe/Berlin', 'Asia/Tokyo', 'Not/AZone'], winter)
  expect(recent.map(({ id }) => id)).toEqual(['Asia/Tokyo', 'Europe/Berlin'])
  expect(usual.map(({ id }) => id)).not.toContain('Asia/Tokyo')
  expect(usual.length).toBeGreaterThan(10)
})

test('a zone has its offset and the name of its clock', () => {
  expect(describeZone('Asia/Tokyo', winter)).toEqual({
    id: 'Asia/Tokyo',
    city: 'Tokyo',
    name: 'Japan Standard Time',
    offsetMinutes: 540,
  })
  expect(describeZone('Not/AZone', winter)).toBeNull()
  expect([0, 540, 330, -210, -600].map(formatOffset)).toEqual(['UTC', 'UTC+9', 'UTC+5:30', 'UTC−3:30', 'UTC−10'])
})
