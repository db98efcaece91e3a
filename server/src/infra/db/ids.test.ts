import { afterEach, expect, test } from 'vitest'
import { cellMax, cellOf, isId, newId, setIdCell } from './ids.ts'

afterEach(() => setIdCell(0))

test('guarantee: an id names the cell that created it', () => {
  for (const cell of [0, 1, 512, cellMax]) {
    setIdCell(cell)
    const id = newId(Date.UTC(2026, 10, 15, 12, 0, 0, 999))
    expect(isId(id)).toBe(true)
    expect(cellOf(id)).toBe(cell)
  }
})

test('guarantee: ids sort by time to the millisecond, whatever their cell', () => {
  const startMs = Date.UTC(2026, 10, 15, 12, 0, 0, 0)
  const ids = [0, 1, 3, 4, 255, 256, 998, 999, 1000, 1001].map((afterMs, at) => {
    setIdCell(at % 2 === 0 ? cellMax : 0)
    return newId(startMs + afterMs)
  })
  expect(ids.toSorted()).toEqual(ids)
})

test('ids of one instant differ', () => {
  const ids = Array.from({ length: 5000 }, () => newId(1_700_000_000_123))
  expect(new Set(ids).size).toBe(ids.length)
})

test('a cell outside the range and a text that is no id are refused', () => {
  for (const cell of [-1, cellMax + 1, 1.5]) expect(() => setIdCell(cell)).toThrow('a cell is a number from 0 to 1023')
  expect(() => cellOf('nothing')).toThrow('is not an id')
})
