import type { TextRules } from '@carillon/contract'
import { countBytes, countText, findLinks } from '@carillon/core'

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const ellipsis = '…'

/** True if the platform accepts this text unchanged. */
export function fits(text: string, rules: TextRules): boolean {
  if (countText(text, rules) > rules.max) return false
  if (rules.bytesMax !== null && countBytes(text) > rules.bytesMax) return false
  return rules.linksMax === null || new Set(findLinks(text).map((link) => link.text)).size <= rules.linksMax
}

/**
 * Shortens a text to what the platform accepts. It ends after a whole sentence if that uses at least half of the limit, otherwise after a
 * whole word and an ellipsis. A link is kept whole or left out. A text is cut inside a word only if there is no other way.
 */
export function fitCaption(whole: string, rules: TextRules): string {
  if (fits(whole, rules)) return whole
  // What follows is far beyond the limit. Without this, a model's endless answer would be divided into words and counted again and again.
  const text = whole.slice(0, rules.max * 5 + 1000).toWellFormed()
  const bySentence = longestFitting(text, ends(text, sentences).filter(outsideLinks(text)), { rules, mark: '' })
  if (countText(bySentence, rules) * 2 >= rules.max) return bySentence
  const byWord = longestFitting(text, ends(text, words).filter(outsideLinks(text)), { rules, mark: ellipsis })
  return byWord || bySentence || longestFitting(text, ends(text, graphemes), { rules, mark: ellipsis })
}

function ends(text: string, segmenter: Intl.Segmenter): number[] {
  return [...segmenter.segment(text)].map(({ index, segment }) => index + segment.length)
}

/** Tells whether a position is outside of all links. It must be called with positions in ascending order, so that each link is passed once. */
function outsideLinks(text: string): (end: number) => boolean {
  const links = findLinks(text, { bare: true })
  let next = 0
  return (end) => {
    while ((links[next]?.end ?? Infinity) <= end) next++
    return (links[next]?.start ?? Infinity) >= end
  }
}

/** The longest beginning that fits. A binary search works, because a longer text never counts less as long as no link is cut. */
function longestFitting(text: string, at: readonly number[], { rules, mark }: { rules: TextRules; mark: string }): string {
  const upTo = (end: number) => {
    const kept = text.slice(0, end).trimEnd()
    if (mark === '' || kept === '') return kept
    return `${withoutPunctuation(kept)}${mark}`
  }
  let best = ''
  let low = 0
  let high = at.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const candidate = upTo(at[middle] ?? 0)
    if (fits(candidate, rules)) {
      best = candidate
      low = middle + 1
    } else {
      high = middle - 1
    }
  }
  return best === mark ? '' : best
}

/** Takes characters off the end one by one: a pattern that ends with `+$` takes quadratic time for a text full of punctuation. */
function withoutPunctuation(text: string): string {
  let end = text.length
  while (end > 0 && /[\s\p{Pd},;:.…([{"“‘'#@]/u.test(text.charAt(end - 1))) end--
  return text.slice(0, end)
}
