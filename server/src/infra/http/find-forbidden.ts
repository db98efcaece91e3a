/** More than any request of the API needs, and far less than what overflows the stack of a recursive function. */
const depthMax = 40

/**
 * The path of a value in a parsed body that no field may contain: NUL or broken Unicode, which PostgreSQL refuses, or a name that would
 * change a prototype.
 */
export function findForbidden(value: unknown, path = ''): string | null {
  if (typeof value === 'string') return isForbidden(value) ? path : null
  if (value === null || typeof value !== 'object') return null
  for (const [name, inner] of Object.entries(value)) {
    const at = path ? `${path}.${name}` : name
    if (name === '__proto__' || isForbidden(name)) return at
    const found = findForbidden(inner, at)
    if (found !== null) return found
  }
  return null
}

function isForbidden(text: string): boolean {
  return text.includes('\0') || !text.isWellFormed()
}

/** Whether JSON is nested too deeply to be parsed. Counts the brackets outside of strings. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const sign = json[at]
    if (inString) {
      if (sign === '\\') at++
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{' || sign === '[') depth++
    else if (sign === '}' || sign === ']') depth--
    if (depth > depthMax) return true
  }
  return false
}
