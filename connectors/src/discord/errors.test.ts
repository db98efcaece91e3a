import { expect, test } from 'vitest'
import { classify } from './errors.ts'

function judge(status: number, code: number, more: object = {}) {
  return classify({ status, headers: {}, body: { code, message: 'said', ...more } }, 0)
}

const form = (field: string, code: string) => ({ errors: { [field]: { _errors: [{ code, message: 'wrong' }] } } })

/** The codes of Discord's page about opcodes and status codes. */
test.each([
  [401, 40001, 'auth', 'reconnect'],
  [401, 50014, 'auth', 'reconnect'],
  [403, 50001, 'auth', 'bot_not_admitted'],
  [403, 50013, 'auth', 'bot_not_admitted'],
  [404, 10003, 'auth', 'bot_not_admitted'],
  [404, 10008, 'gone', 'not_found'],
  [400, 50006, 'rejected', 'refused'],
  [400, 30015, 'rejected', 'item_count'],
  [413, 40005, 'rejected', 'file_too_large'],
  [400, 50045, 'rejected', 'file_too_large'],
  [400, 200000, 'rejected', 'refused'],
  [400, 240000, 'rejected', 'spam'],
  [429, 20028, 'limited', 'slow_down'],
  [429, 40062, 'limited', 'slow_down'],
  [403, 40333, 'unavailable', 'unreachable'],
])('%i with code %i', (status, code, kind, reason) => {
  expect(judge(status, code)).toMatchObject({ kind, reason, platformCode: String(code), platformMessage: 'said' })
})

test('an invalid form is judged by the code of its field', () => {
  expect(judge(400, 50035, form('content', 'BASE_TYPE_MAX_LENGTH'))).toMatchObject({ kind: 'rejected', reason: 'text_too_long' })
  expect(judge(400, 50035, form('message_reference', 'MESSAGE_REFERENCE_UNKNOWN_MESSAGE')).kind).toBe('gone')
  expect(judge(400, 50035, form('embeds', 'BASE_TYPE_BAD_LENGTH'))).toMatchObject({ kind: 'rejected', reason: 'refused' })
})

test('an answer without a code of its own is judged by its status', () => {
  expect(judge(401, 0)).toMatchObject({ kind: 'auth', reason: 'reconnect', platformCode: '401' })
  expect(classify({ status: 502, headers: {}, body: '<html>' }, 0)).toMatchObject({ kind: 'unknown', platformCode: '502' })
  const banned = classify({ status: 429, headers: { 'retry-after': '600' }, body: '<html>' }, 0)
  expect(banned).toMatchObject({ kind: 'limited', retryAfterMs: 600_000 })
})
