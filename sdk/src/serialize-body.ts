/**
 * Serializes a body as JSON, or as multipart form data if it contains files. In a form, a list becomes repeated `name[]` parts and an
 * object becomes one JSON part.
 */
export function serializeBody(body: object): string | FormData {
  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  const hasFile = fields.some(
    ([, value]) => value instanceof Blob || (Array.isArray(value) && value.some((item) => item instanceof Blob)),
  )
  if (!hasFile) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) {
    if (Array.isArray(value)) for (const item of value) form.append(`${name}[]`, toFormValue(item))
    else form.append(name, toFormValue(value))
  }
  return form
}

function toFormValue(value: unknown): string | Blob {
  if (typeof value === 'string' || value instanceof Blob) return value
  return JSON.stringify(value)
}
