/** Writes a body as JSON, or as a form when there are files in it: lists as repeated `name[]` parts, objects as one JSON part. */
export function writeBody(body: object): string | FormData {
  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  const hasFile = fields.some(
    ([, value]) => value instanceof Blob || (Array.isArray(value) && value.some((item) => item instanceof Blob)),
  )
  if (!hasFile) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) {
    if (Array.isArray(value)) for (const item of value) form.append(`${name}[]`, part(item))
    else form.append(name, part(value))
  }
  return form
}

function part(value: unknown): string | Blob {
  if (typeof value === 'string' || value instanceof Blob) return value
  return JSON.stringify(value)
}
