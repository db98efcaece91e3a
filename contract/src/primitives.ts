import { Type, type TSchema } from 'typebox'

// `x-message` in a schema is the sentence for a value that breaks its `pattern`, `format` or `anyOf`: no person can read those.

export const ObjectId = Type.String({ pattern: '^[0-9a-f]{24}$', description: '24 hex characters; ids sort by creation time' })
export const Uuid = Type.String({ format: 'uuid' })
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO-8601 in UTC with milliseconds' })

/** An object without unknown fields: a request with one is refused, and the error names the field. */
export function StrictObject<Properties extends Record<string, TSchema>>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false })
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** A query parameter that is a date or a date with a time. */
export function DateOrInstant(description: string) {
  return Type.String({
    anyOf: [{ format: 'date' }, { format: 'date-time' }],
    description,
    'x-message': 'Must be a date such as 2027-03-01 or an instant such as 2027-03-01T09:00:00Z.',
  })
}

/** The options of a string that is the address of a page. `format` is checked by the URL parser, which knows more than the pattern. */
export const WebUrl = {
  pattern: '^https?://[^\\s]+$',
  format: 'web-url',
  maxLength: 2048,
  'x-message': 'Must be a complete address that starts with http:// or https://.',
} as const

/** The number of a page. The limit keeps the number of skipped rows far below what the database can represent. */
export const PageNumber = Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 })

/** A query parameter with the cursor of a list that is ordered by 24-hex ids. */
export const IdCursor = Type.String({
  pattern: '^[0-9a-f]{24}$',
  description: '`nextCursor` of the previous page',
  'x-message': 'Must be the nextCursor of the previous page.',
})

/** A query parameter with one or more of the given values, separated by commas. */
export function CommaSeparatedEnum(values: readonly string[]) {
  const value = `(${values.join('|')})`
  return Type.String({
    pattern: `^${value}(,${value})*$`,
    maxLength: 500,
    description: `One or more of ${values.join(', ')}; separated by commas`,
    'x-message': `Must be one or more of ${values.join(', ')}, separated by commas.`,
  })
}

/**
 * The `:id` of a path. For a post it is the 24-hex uploadId or the UUID requestId. Other values are not refused by the schema: the
 * endpoint answers them with `…_not_found`.
 */
export const IdParam = StrictObject({ id: Type.String({ minLength: 1, maxLength: 64 }) })
