import { readFileSync } from 'node:fs'
import { createInstance, type TFunction } from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { warningTexts, type WarningCode } from '@carillon/core'
import { CarillonError } from '@carillon/sdk'
import deWarnings from '../i18n/de/warnings.json' with { type: 'json' }
import enWarnings from '../i18n/en/warnings.json' with { type: 'json' }
import deReasons from '../i18n/de/reasons.json' with { type: 'json' }
import enReasons from '../i18n/en/reasons.json' with { type: 'json' }
import de from '../i18n/de/errors.json' with { type: 'json' }
import en from '../i18n/en/errors.json' with { type: 'json' }
import { describeCode, describeError } from './describe-error.ts'
import { nextSteps } from './next-steps.ts'

const translate: Record<string, TFunction<'errors'>> = {}
beforeAll(async () => {
  const instance = createInstance()
  await instance.init({ resources: { en: { errors: en }, de: { errors: de } }, interpolation: { escapeValue: false } })
  for (const language of ['en', 'de']) translate[language] = instance.getFixedT(language, 'errors')
})

test.each(['en', 'de'])('guarantee: every code has a title, a sentence and a next step (%s)', (language) => {
  const t = translate[language]
  if (!t) throw new Error('not translated')
  for (const code of Object.keys(nextSteps)) {
    const { title, sentence, next } = describeCode(code, 'What the platform said.', t)
    expect([code, title.includes('codes.'), /codes\.|\{\{/.test(sentence), next.length > 0]).toEqual([code, false, false, true])
  }
})

/** The tables of the contract, as every client reads them. */
type Contract = { components: { schemas: Record<'ChannelErrorCode' | 'FailureReason', { enum: string[] }> } }
const contract = JSON.parse(readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8')) as Contract
const { schemas } = contract.components

test.each([
  { language: 'en', errors: en, words: enReasons },
  { language: 'de', errors: de, words: deReasons },
])('guarantee: every error of a channel, and every reason of a platform, has a sentence ($language)', ({ errors, words }) => {
  const codes = schemas.ChannelErrorCode.enum
  const reasons = schemas.FailureReason.enum
  expect([codes.length, reasons.length].every((count) => count > 10)).toBe(true)
  expect(codes.filter((code) => !Object.hasOwn(errors.codes, code))).toEqual([])
  expect(Object.keys(words).toSorted()).toEqual(reasons.toSorted())
})

test.each([
  { language: 'en', words: enWarnings },
  { language: 'de', words: deWarnings },
])('guarantee: every warning has a sentence, with what is filled in ($language)', ({ words }) => {
  const known: Record<string, string> = words
  expect(Object.keys(known).toSorted()).toEqual(Object.keys(warningTexts).toSorted())
  for (const [code, sentence] of Object.entries(known)) {
    const names = [...sentence.matchAll(/\{\{(\w+)/g)].map(([, name]) => name)
    const filled = [...(warningTexts[code as WarningCode] ?? '').matchAll(/\{(\w+)/g)].map(([, name]) => name)
    expect([code, names.filter((name) => !filled.includes(name))]).toEqual([code, []])
  }
})

test('an unknown code shows the sentence of the server', () => {
  const t = translate['en']
  if (!t) throw new Error('not translated')
  const error = new CarillonError({
    code: 'of_tomorrow',
    message: 'A new reason.',
    status: 409,
    action: 'retry',
    retryable: true,
  })
  expect(describeError(error, t)).toMatchObject({ code: 'of_tomorrow', sentence: 'A new reason.', next: ['retry', 'copy'] })
})
