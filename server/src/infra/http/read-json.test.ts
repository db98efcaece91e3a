import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { Problem } from '../problem/problem.ts'
import { readJson } from './create-app.ts'

function read(text: string): unknown {
  let answer: unknown
  readJson({} as FastifyRequest, text, (error, body) => {
    answer = error ?? body
  })
  return answer
}

const code = (answer: unknown) => (answer instanceof Problem ? answer.code : answer)

test('a body is parsed, and an empty one counts as no body', () => {
  expect(read('{"text":"a \\u005f b 👩‍👧"}')).toEqual({ text: 'a _ b 👩‍👧' })
  expect(read(' \n')).toBeUndefined()
  expect(read(String.raw`{"text":"the six characters \\u0000"}`)).toEqual({ text: String.raw`the six characters \u0000` })
})

test('a body that cannot be parsed or stored is refused and never crashes the server', () => {
  expect(code(read('{"text":'))).toBe('malformed_json')
  for (const text of [
    String.raw`{"a":{"b":"x\u0000"}}`,
    String.raw`{"a":"\ud800"}`,
    String.raw`{"\uDFFF":1}`,
    '{"__proto__":{}}',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  ])
    expect(code(read(text))).toBe('request_invalid')
})
