import type { Counting, TextRules } from '@carillon/contract'
import { findLinks } from './find-links.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const encoder = new TextEncoder()

/** One emoji as a reader sees it: flags, keycaps, skin tones, tag sequences and joined families are one. */
const emoji =
  /\p{RI}{2}|[0-9#*]\uFE0F?\u20E3|(?![©®](?!\uFE0F))\p{Extended_Pictographic}(?!\uFE0E)(?:\uFE0F|\p{EMod}|[\u{E0020}-\u{E007E}]+\u{E007F})?(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})?)*|\p{EMod}/gu

/** A mention of somebody on another server, as Mastodon reads it. */
const remoteMention = /(?<![=/\p{L}\p{N}_])(@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*/giu

/** X's published ranges of weight 1; everything else weighs 2. */
const lightRanges = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
] as const

const counters: Record<Counting, (text: string) => number> = {
  graphemes: countGraphemes,
  'twitter-weighted': (text) => countAround(text, () => 2, weightOf),
  'threads-emoji-bytes': (text) => countAround(text, countBytes, () => 1),
  codepoints: countCodePoints,
  utf16: (text) => text.length,
  'utf8-bytes': countBytes,
}

/** How long a text is in the eyes of one platform. */
export function countText(text: string, rules: TextRules): number {
  const weighted = rules.counting === 'twitter-weighted'
  const seen = shortened(weighted ? text.normalize('NFC') : text, rules, weighted)
  return isPlain(seen) ? seen.length : counters[rules.counting](seen)
}

/** Text in which every character is one in every way of counting; most texts are, and need no closer look. */
function isPlain(text: string): boolean {
  return /^[\n\x20-\x7E]*$/.test(text)
}

export function countBytes(text: string): number {
  return encoder.encode(text).length
}

export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/**
 * Links and mentions take the length the platform gives them before anything is counted.
 * The stand-in is ASCII because that costs one in every way of counting.
 */
function shortened(text: string, rules: TextRules, bare: boolean): string {
  const { linkCost } = rules
  if (linkCost === null) return rules.shortMentions ? shortMentions(text) : text
  let seen = ''
  let from = 0
  for (const link of findLinks(text, { bare })) {
    const between = text.slice(from, link.start)
    seen += rules.shortMentions ? shortMentions(between) : between
    seen += 'x'.repeat(linkCost)
    from = link.end
  }
  const rest = text.slice(from)
  return seen + (rules.shortMentions ? shortMentions(rest) : rest)
}

function shortMentions(text: string): string {
  return text.replace(remoteMention, '$1')
}

function countGraphemes(text: string): number {
  let count = 0
  for (const _ of graphemes.segment(text)) count++
  return count
}

function countAround(
  text: string,
  costOfEmoji: (emoji: string) => number,
  costOfCodePoint: (codePoint: number) => number,
): number {
  let count = 0
  let from = 0
  const plain = (part: string) => {
    for (const character of part) count += costOfCodePoint(character.codePointAt(0) ?? 0)
  }
  for (const match of text.matchAll(emoji)) {
    plain(text.slice(from, match.index))
    count += costOfEmoji(match[0])
    from = match.index + match[0].length
  }
  plain(text.slice(from))
  return count
}

function weightOf(codePoint: number): number {
  return lightRanges.some(([first, last]) => codePoint >= first && codePoint <= last) ? 1 : 2
}
