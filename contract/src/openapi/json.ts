export type JsonObject = { [name: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** Removes the internal markers that TypeBox keeps on a schema: they do not survive JSON. */
export function toPlainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
