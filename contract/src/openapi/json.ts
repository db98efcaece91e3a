export type JsonObject = { [name: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** TypeBox keeps marks of its own on a schema; what is left as JSON is the schema itself. */
export function toPlainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
