import { readCoverage } from '@carillon/scripts/coverage'
import { expect, test } from 'vitest'
import { allRows } from './rows.ts'

/** Guarantee: nothing the interface states goes untested, and no test claims to prove what is stated nowhere. */
const { rows, unknown } = await readCoverage()

test('every row has a test', () => {
  expect(rows.filter(({ files }) => files.length === 0).map(({ id }) => id)).toEqual([])
})

test('every test that names a row names one there is', () => {
  expect(unknown).toEqual([])
})

test('the rows read from the files are the rows the tests know', () => {
  expect(rows.map(({ id, text }) => [id, text])).toEqual(Object.entries(allRows))
})
