import { cleanText, cleanValue } from './clean-text.ts'

/** A number with sixteen or more digits, outside quotes. Only then is the slower parsing needed. */
const bigNumber = /(?:^|[:[,])\s*-?\d{16}/

/** An escaped NUL or surrogate. Only then must the parsed strings be cleaned. */
const uncleanEscape = /\\u(?:0000|d[89a-f])/i

/**
 * Parses a body. An integer too large for a JavaScript number becomes a string of its digits, because some platforms use such ids. No
 * string in the result contains NUL or half of a surrogate pair.
 */
export function parseJson(text: string | null): unknown {
  if (!text) return null
  const clean = cleanText(text)
  try {
    const value: unknown = bigNumber.test(clean) ? JSON.parse(clean, keepDigits) : JSON.parse(clean)
    return uncleanEscape.test(clean) ? cleanValue(value) : value
  } catch {
    // An HTML page is returned as text: `classify` may use it, and no schema of ours accepts a string. The same holds for a value that is
    // nested too deeply to be walked.
    return clean
  }
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const isInexact = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return isInexact && context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value
}
