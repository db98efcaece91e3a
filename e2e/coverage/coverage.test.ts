import { readCoverage } from '@carillon/scripts/coverage'
import { expect, test } from 'vitest'
import { allRows } from './rows.ts'

/** Guarantee: every statement of the interface has a test, and every test that names a statement names an existing one. */
const { rows, unknown } = await readCoverage()

test('every row has a test', () => {
  expect(rows.filter(({ files }) => files.length === 0).map(({ id }) => id)).toEqual([])
})

test('every row that a test names exists', () => {
  expect(unknown).toEqual([])
})

test('the rows that are read from the files equal the rows that the tests use', () => {
  expect(rows.map(({ id, text }) => [id, text])).toEqual(Object.entries(allRows))
})
