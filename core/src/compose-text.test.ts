import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeText } from './compose-text.ts'

test('texts of real languages are composed as Unicode says', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => composeText(text) === text.normalize('NFC')))
  expect(composeText('e\u0301')).toBe('é')
})

test('a sequence of marks that is longer than any language needs stays as it is', () => {
  const marks = '\u0315\u0321'.repeat(500)
  expect(composeText(`e\u0301 a${marks}e\u0301`)).toBe(`é a${marks}é`)
})
