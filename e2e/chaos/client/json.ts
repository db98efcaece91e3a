/** Answers are read field by field, because the chaos run must not rely on the shape of any answer. */
export type Fields = Record<string, unknown>

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
