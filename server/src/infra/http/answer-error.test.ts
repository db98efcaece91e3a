import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from './answer-error.ts'

/** Guarantee: a database that cannot take the request now is not called a bug, and a client may repeat it. */
test.each([
  ['a full disk', '53100', 503, 'unavailable'],
  ['memory that is used up', '53200', 503, 'unavailable'],
  ['connections that are used up', '53300', 503, 'unavailable'],
  ['a statement that is wrong', '42601', 500, 'internal_error'],
])('%s', async (_, code, status, answered) => {
  const app = Fastify()
  app.setErrorHandler(answerError)
  app.get('/', () => {
    throw Object.assign(new Error('refused by PostgreSQL'), { code })
  })
  const { statusCode, headers, body } = await app.inject('/')
  expect([statusCode, JSON.parse(body).error.code]).toEqual([status, answered])
  expect(headers['retry-after'] !== undefined).toBe(status === 503)
})
