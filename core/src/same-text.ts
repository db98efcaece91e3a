/** More of a text is not compared: it costs time, and whoever repeats a long text repeats its beginning. */
const comparedMax = 2000
/** A text with fewer words says too little by itself: then its addresses count too. */
const wordsMin = 5
/** How much of two texts must be alike. One changed letter in a sentence is more alike than this, and one changed word in ten is not. */
const alikeMin = 0.9

const addressPattern = /(?:https?:\/\/|www\.)\S+/giu

/** A text reduced to what its readers would call the same text. In `exact` one letter makes a difference: numbers, and addresses that count. */
export type FoldedText = { text: string; exact: string }

/**
 * Folds capitals, forms of the same letter, spaces, punctuation and addresses. Addresses get another tracking suffix each time, so they count
 * only where there is little else, and without it. Null: there is nothing to compare.
 */
export function foldText(text: string): FoldedText | null {
  const start = text.slice(0, comparedMax)
  const words = wordsOf(start.replaceAll(addressPattern, ' '))
  const found = words.length < wordsMin ? (start.match(addressPattern) ?? []) : []
  const addresses = found.flatMap((address) => wordsOf(address.split(/[?#]/, 1)[0] ?? ''))
  const all = [...words, ...addresses]
  // A text of emoji only has no words and is compared as it is.
  if (all.length === 0) return start.trim() === '' ? null : { text: start.trim(), exact: '' }
  return { text: all.join(' '), exact: [...words.filter((word) => /\p{N}/u.test(word)), ...addresses].join(' ') }
}

/** Would a reader call these the same text? Texts that differ in a number are two: "Day 12" is not "Day 13". */
export function isSameText(one: FoldedText, other: FoldedText): boolean {
  if (one.text === other.text) return true
  if (one.exact !== other.exact) return false
  const [shorter, longer] = [Math.min(one.text.length, other.text.length), Math.max(one.text.length, other.text.length)]
  return shorter >= longer * alikeMin && likeness(one.text, other.text) >= alikeMin
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The share of groups of three characters that two texts have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  const counts = new Map<string, number>()
  for (let at = 0; at + 3 <= one.length; at++) {
    const group = one.slice(at, at + 3)
    counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  let common = 0
  for (let at = 0; at + 3 <= other.length; at++) {
    const group = other.slice(at, at + 3)
    const left = counts.get(group) ?? 0
    if (left > 0) common++
    counts.set(group, left - 1)
  }
  const total = Math.max(0, one.length - 2) + Math.max(0, other.length - 2)
  return total === 0 ? 0 : (2 * common) / total
}
