import { splitGraphemes } from '../../text/graphemes.ts'
import { isEmoji } from '../../text/is-emoji.ts'
import { findShortenable, replaceShortenable } from './short-links.ts'

const linkWeight = 23
const isLight = /^[\x20-\x7e\n]*$/

/** The rules of twitter-text v3: after NFC a code point weighs 1 or 2, an emoji 2 and a link 23. */
export function weighText(text: string): number {
  const links = findShortenable(text).length
  const rest = links === 0 ? text : replaceShortenable(text, () => '')
  if (isLight.test(rest)) return rest.length + links * linkWeight
  let weight = links * linkWeight
  for (const grapheme of splitGraphemes(rest.normalize('NFC'))) weight += weighGrapheme(grapheme)
  return weight
}

function weighGrapheme(grapheme: string): number {
  if (isEmoji(grapheme)) return 2
  let weight = 0
  for (const character of grapheme) weight += isNarrow(character.codePointAt(0) ?? 0) ? 1 : 2
  return weight
}

function isNarrow(point: number): boolean {
  return point <= 4351 || (point >= 8192 && point <= 8205) || (point >= 8208 && point <= 8223) || (point >= 8242 && point <= 8247)
}
