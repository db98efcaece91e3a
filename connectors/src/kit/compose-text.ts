/** Longer than any sequence of combining marks in a real language. Unicode's "stream-safe" format has the same limit. */
const longMarks = /\p{M}{31,}/gu

/**
 * The text in Unicode's composed form (NFC), in linear time. Sorting a long sequence of combining marks takes quadratic time, so a sequence
 * that is longer than any language needs stays as it is.
 */
export function composeText(text: string): string {
  let composed = ''
  let from = 0
  for (const marks of text.matchAll(longMarks)) {
    composed += text.slice(from, marks.index).normalize('NFC') + marks[0]
    from = marks.index + marks[0].length
  }
  return composed + text.slice(from).normalize('NFC')
}
