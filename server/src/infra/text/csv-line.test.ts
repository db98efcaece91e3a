import { expect, test } from 'vitest'
import { formatCsvLine, restoreCell } from './csv-line.ts'

/** Guarantee: a title is text in every spreadsheet, never a formula, and a CSV reader returns it unchanged. */
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
  ['\u{200B}=1', "'\u{200B}=1"],
  ['\u{2060}@x', "'\u{2060}@x"],
  ['a=b', 'a=b'],
])('%j', (text, cell) => {
  expect(formatCsvLine([text, 1])).toBe(`${cell},1\r\n`)
})

test('null is an empty cell, and zero is 0', () => {
  expect(formatCsvLine([null, 0, ''])).toBe(',0,\r\n')
})

/** Guarantee: what an export has written is read as it was, also if it began with an apostrophe of its own. */
test.each(['plain', '=1+1', "'=1+1", "''=1", "'quoted'", ' @x', '\t=1', '-', "'"])('%j comes back as it was', (text) => {
  const written = formatCsvLine([text]).replace(/\r\n$/, '').replace(/^"|"$/g, '').replaceAll('""', '"')
  expect(restoreCell(written)).toBe(text)
})
