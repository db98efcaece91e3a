import { expect, test } from 'vitest'
import { classify } from './errors.ts'

function judge(status: number, description: string, parameters?: object) {
  const body = { ok: false, error_code: status, description, ...(parameters && { parameters }) }
  return classify({ status, headers: {}, body }, 0)
}

/** The sentences of the Bot API server, as lists of others and its source have them. */
test.each([
  [401, 'Unauthorized', 'auth', 'reconnect'],
  [404, 'Not Found', 'auth', 'reconnect'],
  [403, 'Forbidden: bot was kicked from the channel chat', 'auth', 'bot_not_admitted'],
  [403, 'Forbidden: bot is not a member of the supergroup chat', 'auth', 'bot_not_admitted'],
  [400, 'Bad Request: chat not found', 'auth', 'bot_not_admitted'],
  [400, 'Bad Request: not enough rights to send text messages to the chat', 'auth', 'bot_not_admitted'],
  [400, 'Bad Request: need administrator rights in the channel chat', 'auth', 'bot_not_admitted'],
  [400, 'Bad Request: group chat was upgraded to a supergroup chat', 'auth', 'bot_not_admitted'],
  [400, 'Bad Request: message is too long', 'rejected', 'text_too_long'],
  [400, 'Bad Request: message caption is too long', 'rejected', 'text_too_long'],
  [400, 'Bad Request: message to be replied not found', 'gone', 'not_found'],
  [400, 'Bad Request: message to delete not found', 'gone', 'not_found'],
  [400, "Bad Request: message can't be deleted for everyone", 'rejected', 'refused'],
  [400, 'Bad Request: PHOTO_INVALID_DIMENSIONS', 'rejected', 'file_shape'],
  [413, 'Request Entity Too Large', 'rejected', 'file_too_large'],
])('%i %s', (status, description, kind, reason) => {
  expect(judge(status, description)).toMatchObject({ kind, reason, platformCode: String(status) })
})

test('the wait of a limit is in the body', () => {
  const limited = judge(429, 'Too Many Requests: retry after 7', { retry_after: 7 })
  expect(limited).toMatchObject({ kind: 'limited', retryAfterMs: 7000 })
})

test('a failure of the server may have published the message, and an answer of something else is judged by its status', () => {
  expect(judge(502, 'Bad Gateway').kind).toBe('unknown')
  expect(classify({ status: 403, headers: {}, body: '<html>' }, 0)).toMatchObject({ kind: 'auth', platformCode: null })
})
