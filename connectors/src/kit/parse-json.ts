/** A number with sixteen or more digits, outside quotes. Only then is the slower parsing needed. */
const bigNumber = /(?:^|[:[,])\s*-?\d{16}/

/** Parses a body. An integer too large for a JavaScript number becomes a string of its digits, because some platforms use such ids. */
export function parseJson(text: string | null): unknown {
  if (!text) return null
  try {
    return bigNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch {
    // An HTML page is returned as text: `classify` may use it, and no schema of ours accepts a string.
    return text
  }
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const isInexact = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isInexact && context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value
}
