/** Control characters but line breaks and tabs, and those that turn the direction of the text around. */
const unwanted = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/gu

/** What a model wrote, without the characters that no post needs; empty when it is no text. */
export function cleanText(written: unknown): string {
  if (typeof written !== 'string') return ''
  return written.toWellFormed().replaceAll('\r\n', '\n').replaceAll(unwanted, '').trim()
}
