const references = new Map([
  [34, '&quot;'],
  [38, '&amp;'],
  [39, '&#39;'],
  [60, '&lt;'],
  [62, '&gt;'],
])
const largestCode = Math.max(...references.keys())

/** Safe between tags and inside quoted attributes. One pass over the text is faster than a replacement for each of the characters. */
export function escapeHtml(text: string): string {
  let escaped = ''
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const reference = code > largestCode ? undefined : references.get(code)
    if (reference === undefined) continue
    escaped += text.slice(copied, at) + reference
    copied = at + 1
  }
  return escaped + text.slice(copied)
}
