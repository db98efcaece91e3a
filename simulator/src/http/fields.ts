/** Fields of a request, from JSON, a form, multipart or the query. These functions return undefined for a value of the wrong type. */
export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : undefined
}

export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
}

export function flagOf(value: unknown): boolean {
  return value === true || value === 'true' || value === '1' || value === 1
}

export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null || value === '' ? [] : [value]
}

export function textsOf(value: unknown): string[] {
  return listOf(value)
    .map(textOf)
    .filter((text) => text !== undefined)
}

/** Rails and PHP name lists `name[]`. `name[]` and a repeated `name` become the same list. */
export function addField(fields: Fields, name: string, value: string): void {
  const isList = name.endsWith('[]')
  const key = isList ? name.slice(0, -2) : name
  const before = fields[key]
  if (!isList && before === undefined) fields[key] = value
  else fields[key] = [...listOf(before), value]
}
