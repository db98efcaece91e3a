import { expect, test } from 'vitest'
import { readWallTime } from './wall-time.ts'

test('guarantee: skipped and repeated hours are recognised, and mean what the server takes them for', () => {
  expect(readWallTime('Europe/Paris', '2027-03-01T09:00')).toEqual({ at: '2027-03-01T08:00:00.000Z', kind: 'usual' })
  expect(readWallTime('Europe/Paris', '2027-03-28T02:30')).toEqual({ at: '2027-03-28T01:30:00.000Z', kind: 'skipped' })
  expect(readWallTime('Europe/Paris', '2027-10-31T02:30')).toEqual({ at: '2027-10-31T00:30:00.000Z', kind: 'repeated' })
  expect(readWallTime('Europe/Paris', '')).toBeNull()
})
