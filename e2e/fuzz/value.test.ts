import { endpoints } from '@carillon/contract'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import type { Schema } from './schema.ts'
import { valueOf } from './value.ts'

/** Guarantee: the bodies that the fuzzer considers valid match the schema, so that an error about one is a real finding. */
const withBody = endpoints.flatMap(({ id, body }) => (body ? [{ id, body }] : []))

test.each(withBody)('bodies for $id fit its schema', ({ body }) => {
  for (const value of fc.sample(valueOf(body as Schema, { connections: ['x-demo'] }), { numRuns: 100, seed: 1 }))
    expect([...Value.Errors(body, value)]).toEqual([])
})
