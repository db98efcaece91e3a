/** A part of a text, with positions in UTF-16 units as in JavaScript strings. */
export type Span = { start: number; end: number; value: string }

const link = /https?:\/\/[^\s<>"'`\u3000-\u303f\uff00-\uffef]+/gi

/**
 * The http(s) links that Bluesky should make clickable, without the punctuation of the sentence around them. This does not decide
 * whether the link is added to the text: the server has done that.
 */
export function findLinks(text: string): Span[] {
  return Array.from(text.matchAll(link), (match) => {
    const value = withoutSentenceEnd(match[0])
    return { start: match.index, end: match.index + value.length, value }
  }).filter(({ value }) => URL.canParse(value))
}

/** Takes off punctuation and closing brackets from the end, and counts brackets only once, so that the time is linear. */
function withoutSentenceEnd(raw: string): string {
  const unopened = { ')': countOf(raw, ')') - countOf(raw, '('), ']': countOf(raw, ']') - countOf(raw, '[') }
  let end = raw.length
  for (; end > 0; end--) {
    const last = raw.charAt(end - 1)
    if ('.,;:!?…'.includes(last)) continue
    // A closing bracket belongs to the link only when it was opened inside it.
    if (last !== ')' && last !== ']') break
    if (unopened[last] <= 0) break
    unopened[last]--
  }
  return raw.slice(0, end)
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1
}
