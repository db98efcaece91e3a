/** Sixteen digits where a number may stand, not within quotes: only then the slower way of reading is needed. */
const bigNumber = /(?:^|[:[,])\s*-?\d{16}/

/** Reads a body. An integer too large for a JavaScript number arrives as its digits: platforms number their posts with such. */
export function parseJson(text: string | null): unknown {
  if (!text) return null
  try {
    return bigNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    // Kept as it came: a page of HTML is a fact the classifier may want, and no schema of ours accepts a string.
    return text
  }
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const isInexact = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isInexact && context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value
}
