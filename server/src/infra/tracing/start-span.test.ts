import { expect, test } from 'vitest'
import { chooseRequestId } from './trace-requests.ts'
import { parseTraceparent, requestIdFrom, traceIdOf, unsampledTraceparent } from './start-span.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

test('guarantee: the id of a request is the trace of its caller, and only if the header is valid', () => {
  const header = `00-${traceId}-00f067aa0ba902b7-01`
  expect(traceIdOf(chooseRequestId({ headers: { traceparent: header } }))).toBe(traceId)
  for (const wrong of [
    'x',
    `00-${traceId}-0000000000000000-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `01-${traceId}-00f067aa0ba902b7-01`,
    `${header}-`,
  ]) {
    expect(parseTraceparent(wrong)).toBeNull()
    expect(chooseRequestId({ headers: { traceparent: wrong } })).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('a request that is not sampled still has a context, from which the log gets its id', () => {
  const id = '019a8b2c-7d1e-7f00-8000-0123456789ab'
  expect(parseTraceparent(unsampledTraceparent(id))).toMatchObject({ traceId: traceIdOf(id), isSampled: false })
  expect(requestIdFrom(unsampledTraceparent(id))).toBe(id)
  expect(requestIdFrom(null)).toBeUndefined()
})
