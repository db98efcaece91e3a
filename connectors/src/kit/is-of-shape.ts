import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

/** Each schema is compiled once, because thousands of answers are checked when many posts are due. */
const compiled = new WeakMap<TSchema, Validator>()

export function isOfShape<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  return validator.Check(value)
}
