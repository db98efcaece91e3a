const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
// Segmenting is a hundred times slower than reading a length, and most text in load tests is plain ASCII. CRLF is one grapheme, so the
// pattern excludes CR.
const isPlain = /^[\x20-\x7e\n]*$/

export function countGraphemes(text: string): number {
  if (isPlain.test(text)) return text.length
  let count = 0
  for (const _ of segmenter.segment(text)) count += 1
  return count
}

export function splitGraphemes(text: string): string[] {
  return isPlain.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment)
}
