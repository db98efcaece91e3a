import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Staged } from './connector.ts'
import { PlatformError } from './platform-error.ts'

/** Reads back what `stage` returned. If that is missing, nothing was sent yet, so staging and sending again is safe. */
export function parseStaged<Schema extends TSchema>(schema: Schema, staged: Staged): Static<Schema> {
  if (Value.Check(schema, staged)) return staged
  throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'The post was not prepared before sending.' })
}
