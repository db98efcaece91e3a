import { CarillonError } from '@carillon/sdk'
import { expect, test } from 'vitest'
import { describeError, headlineOf } from './describe-error.ts'

const context = { links: null, isRepeatable: false }
const lost = new CarillonError({ code: 'connection_failed', message: 'No answer.', status: 0, action: 'retry', retryable: true })

/** Guarantee: an answer that was lost is not called a failure, and the next step cannot make a second post. */
test('a lost answer to a change is unknown, and to a question is not', () => {
  const described = describeError(lost, context)
  expect(headlineOf(described)).toBe('UNKNOWN (connection_failed): it may have been carried out. No answer.')
  expect(described.action).toContain('exactly the same arguments')
  expect(headlineOf(describeError(lost, { ...context, isRepeatable: true }))).toBe('NOT DONE (connection_failed): No answer.')
})

test('a refusal has its fields, the next step in words and its page', () => {
  const refused = new CarillonError({
    code: 'post_invalid',
    message: 'The post breaks a rule.',
    status: 422,
    action: 'fix_request',
    retryable: false,
    details: [{ path: 'connections[0].text', code: 'text_too_long', message: 'Too long.', params: {} }],
    docUrl: 'https://carillon.example/docs/errors/post_invalid',
  })
  expect(describeError(refused, context)).toEqual({
    code: 'post_invalid',
    message: 'The post breaks a rule. connections[0].text: Too long.',
    action: 'Change what the details name; check_post checks without publishing.',
    docUrl: 'https://carillon.example/docs/errors/post_invalid',
  })
})

test('a failure of the server itself does not show its reason', () => {
  expect(describeError(new Error('secret'), context)).toMatchObject({
    code: 'internal_error',
    message: expect.not.stringContaining('secret'),
  })
})
