/**
 * Serializes a body as JSON, or as multipart form data if it contains files. In a form, a list becomes repeated `name[]` parts. An
 * object or a list of objects becomes one JSON part: in repeated parts, objects could not be told from texts.
 */
export function serializeBody(body: object): string | FormData {
  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  const hasFile = fields.some(
    ([, value]) => value instanceof Blob || (Array.isArray(value) && value.some((item) => item instanceof Blob)),
  )
  if (!hasFile) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) {
    if (Array.isArray(value) && !value.some(isPlainObject)) for (const item of value) form.append(`${name}[]`, toFormValue(item))
    else form.append(name, toFormValue(value))
  }
  return form
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !(value instanceof Blob)
}

function toFormValue(value: unknown): string | Blob {
  if (typeof value === 'string' || value instanceof Blob) return value
  return JSON.stringify(value)
}
