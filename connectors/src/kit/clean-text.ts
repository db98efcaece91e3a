/**
 * A text from a platform, without what PostgreSQL and JSON readers refuse: NUL and half surrogate pairs become U+FFFD. One such character
 * in one answer would otherwise fail the transaction that stores it.
 */
export function cleanText(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed()
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed
}

/** Cleans every string of a parsed value, names of fields included. */
export function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [cleanText(name), cleanValue(field)]))
}
