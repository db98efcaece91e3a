import { Type, type TSchema } from 'typebox'

export const ObjectId = Type.String({ pattern: '^[0-9a-f]{24}$', description: '24 hex characters, sorted by time' })
export const Uuid = Type.String({ format: 'uuid' })
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO-8601 in UTC with milliseconds' })

/** A closed object: unknown fields are refused, and the answer names them. */
export function StrictObject<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** A day or an instant in a query. */
export function DateOrInstant(description: string) {
  return Type.String({ anyOf: [{ format: 'date' }, { format: 'date-time' }], description })
}

/** A comma list of known words in a query. */
export function CommaSeparatedEnum(words: readonly string[]) {
  const word = `(${words.join('|')})`
  return Type.String({
    pattern: `^${word}(,${word})*$`,
    maxLength: 500,
    description: `Any of ${words.join(', ')}; with commas between`,
  })
}

/** `:id` of a post: the 24-hex id or the UUID requestId. What is neither is simply not found. */
export const IdParam = StrictObject({ id: Type.String({ minLength: 1, maxLength: 64 }) })
