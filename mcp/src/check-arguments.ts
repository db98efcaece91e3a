import type { JsonSchemaType, jsonSchemaValidator } from '@modelcontextprotocol/server'
import { Value } from 'typebox/value'

const problemsMax = 10

/** Checks arguments by the schema of a tool. The message names each field that is wrong, so that the next call can be right. */
export const inWords: jsonSchemaValidator = {
  getValidator: (schema: JsonSchemaType) => (input) => {
    // The default validator does not say which field is unknown.
    const problems = Value.Errors(schema, input).flatMap(({ keyword, instancePath, params, message }) => {
      const field = instancePath.slice(1).replaceAll('/', '.')
      if (keyword === 'additionalProperties')
        return namesIn(params).map((name) => `there is no field ${[field, name].filter(Boolean).join('.')}`)
      return keyword === 'boolean' ? [] : [`${field} ${message}`.trim()]
    })
    if (problems.length === 0) return { valid: true, data: input as never, errorMessage: undefined }
    return { valid: false, data: undefined, errorMessage: `${problems.slice(0, problemsMax).join('; ')}. Nothing was done.` }
  },
}

function namesIn(params: object): string[] {
  const names: unknown = 'additionalProperties' in params ? params.additionalProperties : []
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}
