import { expect, test } from 'vitest'
import { readWarning, warningTexts, writeWarning, type WarningCode } from './warning-texts.ts'

const codes = Object.keys(warningTexts) as WarningCode[]

test.each(codes)('guarantee: a written warning is recognised, with what was filled in (%s)', (code) => {
  const names = [...warningTexts[code].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, `Some${name}.(1)`]))
  const written = warningTexts[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  expect(readWarning(written)).toEqual({ code, params })
})

test('the sentence of another version is not recognised', () => {
  expect(readWarning('Belfry rings at noon only.')).toBeNull()
  expect(readWarning('')).toBeNull()
})

test('a sentence is filled in', () => {
  expect(writeWarning('format_changed', { platform: 'X', chosen: 'stories', used: 'photo' })).toBe(
    'X has no stories; this will be published as a photo.',
  )
})
