import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { listSchemaProblems } from './create-validator.ts'

const time = Type.String({ format: 'date-time' })
const day = Type.String({ format: 'date' })

test.each([
  ['2030-06-30T23:59:59Z', time],
  ['2030-06-30t09:00:00.5+05:30', time],
  ['2028-02-29T00:00:00-03:00', time],
  ['2028-02-29', day],
])('accepts %s', (text, schema) => expect(listSchemaProblems(schema, text)).toEqual([]))

test.each([
  ['an hour that no day has', '2030-06-30T24:00:00Z', time],
  ['a day that no month has', '2030-02-31T09:00:00Z', time],
  ['a leap second', '2016-12-31T23:59:60Z', time],
  ['no offset', '2030-06-30T09:00:00', time],
  ['the year 0', '0000-01-01T00:00:00Z', time],
  ['a day that no month has', '2027-02-29', day],
  ['the year 0', '0000-01-01', day],
])('refuses %s: %s', (_what, text, schema) => expect(listSchemaProblems(schema, text)).toHaveLength(1))
