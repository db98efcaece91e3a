import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Staged } from './connector.ts'
import { PlatformError } from './platform-error.ts'

/** Each schema is compiled once, because thousands of answers are checked when many posts are due. */
const compiled = new WeakMap<TSchema, Validator>()

export function isOfShape<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  return validator.Check(value)
}

/** Reads back what `stage` returned. If that is missing, nothing was sent yet, so staging and sending again is safe. */
export function parseStaged<Schema extends TSchema>(schema: Schema, staged: Staged): Static<Schema> {
  if (isOfShape(schema, staged)) return staged
  throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'The post was not prepared before sending.' })
}
