import { describe, expect, test } from 'vitest'
import { cleanText } from './clean-text.ts'
import { cutText } from './cut-text.ts'
import { parseJson } from './parse-json.ts'
import { refusalByStatus, refuse } from './refusal.ts'

/** Guarantee: no string of a platform contains NUL or half of a surrogate pair once it is inside. */
describe('cleaning', () => {
  test.for([
    ['1\u00002', '1\uFFFD2'],
    ['bell \ud83d', 'bell \uFFFD'],
    ['\udd14 bell', '\uFFFD bell'],
    ['🔔 bell', '🔔 bell'],
  ] as const)('%j', ([text, clean]) => {
    expect(cleanText(text)).toBe(clean)
  })

  test.for([
    [String.raw`{"id":"1\u00002"}`, { id: '1\uFFFD2' }],
    [String.raw`{"a":[{"text":"\uD83D"}],"n":7301234567890123457}`, { a: [{ text: '\uFFFD' }], n: '7301234567890123457' }],
    [String.raw`{"na\u0000me":true,"text":"\ud83d\udd14"}`, { 'na\uFFFDme': true, text: '🔔' }],
    [String.raw`{"text":"\\u0000"}`, { text: String.raw`\u0000` }],
    ['<html>\0', '<html>\uFFFD'],
  ] as const)('a body: %s', ([text, value]) => {
    expect(parseJson(text)).toEqual(value)
  })

  test('a value nested too deeply to be walked is not parsed, and does not end the process', () => {
    const body = `${'['.repeat(200_000)}"\\u0000"${']'.repeat(200_000)}`
    expect(parseJson(body)).toBe(body)
  })
})

/** Guarantee: cutting never makes half of a surrogate pair. */
describe('cutting', () => {
  test.for([
    ['bell', 10, 'bell'],
    ['a🔔', 2, 'a'],
    ['a🔔b', 3, 'a🔔'],
    ['🔔', 1, ''],
  ] as const)('%s to %i', ([text, lengthMax, start]) => {
    expect(cutText(text, lengthMax)).toBe(start)
  })

  test('a platform’s long message and code are cut between characters', () => {
    const { message } = refusalByStatus('Example', 422, `${'a'.repeat(299)}🔔`)
    expect(message).toBe(`Example refused this: ${'a'.repeat(299)}`)
    const refused = refuse(
      { kind: 'rejected', message },
      `${'c'.repeat(199)}🔔${'c'.repeat(99)}`,
      { status: 422, headers: {} },
      0,
    )
    expect(refused.platformCode).toBe('c'.repeat(199))
  })
})
