import type { Counting, TextRules } from '@carillon/contract'
import { composeText } from './compose-text.ts'
import { findLinks, type Link } from './links/find-links.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const encoder = new TextEncoder()

const flag = String.raw`\p{RI}{2}`
const keycap = String.raw`[0-9#*]\uFE0F?\u20E3`
const pictograph = String.raw`(?![©®](?!\uFE0F))\p{Extended_Pictographic}(?!\uFE0E)`
const modifier = String.raw`(?:\uFE0F|\p{EMod}|[\u{E0020}-\u{E007E}]+\u{E007F})?`
const joinedPictographs = String.raw`(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{EMod})?)*`

/** One emoji as a reader sees it: a flag, a keycap, an emoji with a skin tone, a tag sequence and a joined family are one each. */
const emoji = new RegExp(`${flag}|${keycap}|${pictograph}${modifier}${joinedPictographs}|\\p{EMod}`, 'gu')

/** A mention of a user on another server, in Mastodon's syntax. */
const remoteMention = /(?<![=/\p{L}\p{N}_])(@[a-z0-9_]+(?:[.-]+[a-z0-9_]+)*)@[\p{L}\p{N}_]+(?:[.-]+[\p{L}\p{N}_]+)*/giu

/** The code point ranges that X documents with weight 1; all others have weight 2. */
const weightOneRanges = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
] as const

const counters: Record<Counting, (text: string) => number> = {
  graphemes: countGraphemes,
  'twitter-weighted': (text) => sumCosts(text, () => 2, weightOnX),
  'threads-emoji-bytes': (text) => sumCosts(text, countBytes, () => 1),
  codepoints: countCodePoints,
  utf16: (text) => text.length,
  'utf8-bytes': countBytes,
}

/** In UTF-16 units: far more than any platform takes, and as much as the API accepts. What follows counts one for each unit. */
const countedMax = 50_000

/** One request checks the same texts for many accounts of a platform, so the latest counts by the rules of a platform are remembered. */
const latestCounts = new WeakMap<TextRules, Map<string, number>>()
const latestMax = 4

/** Counts the length of a text by the rules of one platform. */
export function countText(text: string, rules: TextRules): number {
  const latest = latestCounts.get(rules) ?? new Map<string, number>()
  const known = latest.get(text)
  if (known !== undefined) return known
  const count = countBeginning(text.slice(0, countedMax), rules) + Math.max(0, text.length - countedMax)
  const [oldest] = latest.keys()
  if (latest.size >= latestMax && oldest !== undefined) latest.delete(oldest)
  latestCounts.set(rules, latest.set(text, count))
  return count
}

function countBeginning(text: string, rules: TextRules): number {
  const counted = shortenLinksAndMentions(isWeighted(rules) ? composeText(text) : text, rules)
  return isPlainAscii(counted) ? counted.length : counters[rules.counting](counted)
}

/** The links of a text as a platform that counts in this way finds them. */
export function findLinksOf(text: string, rules: Pick<TextRules, 'counting'>): Link[] {
  return findLinks(text, { bare: isWeighted(rules) })
}

function isWeighted({ counting }: Pick<TextRules, 'counting'>): boolean {
  return counting === 'twitter-weighted'
}

/** In plain ASCII text every character counts as one under every counting rule. Most texts are plain, so this is the fast path. */
function isPlainAscii(text: string): boolean {
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
 * Replaces links and mentions by placeholders of the length that the platform counts for them.
 * The placeholder is ASCII because an ASCII character counts as one under every counting rule.
 */
function shortenLinksAndMentions(text: string, rules: TextRules): string {
  const { linkCost } = rules
  if (linkCost === null) return rules.shortMentions ? shortenMentions(text) : text
  let shortened = ''
  let from = 0
  for (const link of findLinksOf(text, rules)) {
    const between = text.slice(from, link.start)
    shortened += rules.shortMentions ? shortenMentions(between) : between
    shortened += 'x'.repeat(linkCost)
    from = link.end
  }
  const rest = text.slice(from)
  return shortened + (rules.shortMentions ? shortenMentions(rest) : rest)
}

function shortenMentions(text: string): string {
  return text.replace(remoteMention, '$1')
}

function countGraphemes(text: string): number {
  let count = 0
  for (const _ of graphemes.segment(text)) count++
  return count
}

function sumCosts(text: string, costOfEmoji: (emoji: string) => number, costOfCodePoint: (codePoint: number) => number): number {
  let count = 0
  let from = 0
  const addCodePoints = (part: string) => {
    for (const character of part) count += costOfCodePoint(character.codePointAt(0) ?? 0)
  }
  for (const match of text.matchAll(emoji)) {
    addCodePoints(text.slice(from, match.index))
    count += costOfEmoji(match[0])
    from = match.index + match[0].length
  }
  addCodePoints(text.slice(from))
  return count
}

function weightOnX(codePoint: number): number {
  return weightOneRanges.some(([first, last]) => codePoint >= first && codePoint <= last) ? 1 : 2
}
