import { splitGraphemes } from '../../text/graphemes.ts'
import { isEmoji } from '../../text/is-emoji.ts'

/** An emoji counts as many characters as it has UTF-8 bytes; any other character counts one. */
export function countText(text: string): number {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text.length
  let count = 0
  for (const grapheme of splitGraphemes(text)) count += isEmoji(grapheme) ? Buffer.byteLength(grapheme) : 1
  return count
}
