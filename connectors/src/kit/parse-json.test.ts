import { expect, test } from 'vitest'
import { parseJson } from './parse-json.ts'

/** Guarantee: a numeric id never loses a digit when it is parsed. */
test.for([
  ['{"id":7301234567890123457}', { id: '7301234567890123457' }],
  ['{"id":[7301234567890123457,12]}', { id: ['7301234567890123457', 12] }],
  ['{"text":"7301234567890123457","n":1.5}', { text: '7301234567890123457', n: 1.5 }],
  ['7301234567890123457', '7301234567890123457'],
  ['{"id": -7301234567890123457}', { id: '-7301234567890123457' }],
  ['<html>', '<html>'],
  ['', null],
] as const)('%s', ([text, value]) => {
  expect(parseJson(text)).toEqual(value)
})
