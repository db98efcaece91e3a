/** Control characters except line breaks and tabs, and characters that change the direction of the text. */
const unwanted = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu

/** Removes characters that do not belong in a post from a model's text. Empty if the value is not a text. */
export function cleanText(written: unknown): string {
  if (typeof written !== 'string') return ''
  return written.toWellFormed().replaceAll('\r\n', '\n').replaceAll(unwanted, '').trim()
}
