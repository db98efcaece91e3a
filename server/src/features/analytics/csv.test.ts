import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

/** Guarantee: what somebody wrote in a title is text in every spreadsheet, and comes out of a CSV reader as it went in. */
test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=HYPERLINK("https://evil.example")', `"'=HYPERLINK(""https://evil.example"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@tower', "'@tower"],
  [' =1+1', "' =1+1"],
  ['\t=1', "'\t=1"],
  ['＝1', "'＝1"],
  ['a=b', 'a=b'],
])('%j', (text, cell) => {
  expect(csvLine([text, 1])).toBe(`${cell},1\r\n`)
})

test('unknown is empty, zero is zero', () => {
  expect(csvLine([null, 0, ''])).toBe(',0,\r\n')
})
