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

function withoutSentenceEnd(raw: string): string {
  const trimmed = raw.replace(/[.,;:!?…]+$/, '')
  // A closing bracket belongs to the link only when it was opened inside it.
  if (!/[)\]]$/.test(trimmed)) return trimmed
  const [open, close] = trimmed.endsWith(')') ? ['(', ')'] : ['[', ']']
  const isOpened = trimmed.split(open).length >= trimmed.split(close).length
  return isOpened ? trimmed : withoutSentenceEnd(trimmed.slice(0, -1))
}
