import { expect, test } from 'vitest'
import { problem } from './problem.ts'

/** Guarantee: a request cannot cause an answer or a log line that is larger than the request. */
test('details are limited in number and length', () => {
  const details = Array.from({ length: 100_000 }, (_, n) => ({ path: `field${n}`.padEnd(5000, 'x'), message: 'm'.repeat(5000) }))
  const capped = problem('request_invalid', { details }).details ?? []
  expect(capped).toHaveLength(201)
  expect(capped.at(-1)?.message).toContain('more problems')
  expect(JSON.stringify(capped).length).toBeLessThan(300_000)
})

test('few details stay as they are', () => {
  const details = [{ path: 'text', code: 'text_too_long', message: 'Too long.', params: { limit: 300, actual: 310 } }]
  expect(problem('request_invalid', { details }).details).toEqual(details)
})
