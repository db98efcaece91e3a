import { Type } from 'typebox'
import { Nullable } from './primitives.ts'

const ExternalId = Type.String({ minLength: 1, maxLength: 128, description: 'The id of the record in your own system' })

const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 500 },
  propertyNames: { minLength: 1, maxLength: 64 },
  maxProperties: 20,
  description: 'What you want to remember about the record: at most 20 keys of up to 64 characters, with texts of up to 500',
})

/** In a create, and in a response: a record that has none is shown without the field. */
export const externalFields = {
  externalId: Type.Optional(ExternalId),
  metadata: Type.Optional(Metadata),
}

/** In a change: null clears, and new metadata replace all that are there. */
export const changedExternalFields = {
  externalId: Type.Optional(Nullable(ExternalId)),
  metadata: Type.Optional(Nullable(Metadata)),
}

/** In the query of a list. */
export const externalIdFilter = {
  externalId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, description: 'Only the record that has this id in your own system' }),
  ),
}
