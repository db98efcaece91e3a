import type { TextRules } from '@carillon/contract'
import { countBytes, countText, findLinks } from '@carillon/core'

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const ellipsis = '…'

/** Would the platform take this text as it is? */
export function fits(text: string, rules: TextRules): boolean {
  if (countText(text, rules) > rules.max) return false
  if (rules.bytesMax !== null && countBytes(text) > rules.bytesMax) return false
  return rules.linksMax === null || new Set(findLinks(text).map((link) => link.text)).size <= rules.linksMax
}

/**
 * As much of a text as the platform takes. It ends after a whole sentence where that keeps at least half of what there is room for, else
 * after a whole word and an ellipsis; a link is kept whole or left out. Only what has no other end is cut between two characters.
 */
export function fitCaption(text: string, rules: TextRules): string {
  if (fits(text, rules)) return text
  const whole = outsideLinks(text)
  const bySentence = longest(text, ends(text, sentences).filter(whole), { rules, mark: '' })
  if (countText(bySentence, rules) * 2 >= rules.max) return bySentence
  const byWord = longest(text, ends(text, words).filter(whole), { rules, mark: ellipsis })
  return byWord || bySentence || longest(text, ends(text, graphemes), { rules, mark: ellipsis })
}

function ends(text: string, segmenter: Intl.Segmenter): number[] {
  return [...segmenter.segment(text)].map(({ index, segment }) => index + segment.length)
}

function outsideLinks(text: string): (end: number) => boolean {
  const links = findLinks(text, { bare: true })
  return (end) => !links.some((link) => link.start < end && end < link.end)
}

/** The longest beginning that fits: a search by halves, since a longer text never counts less when no link is cut. */
function longest(text: string, at: readonly number[], { rules, mark }: { rules: TextRules; mark: string }): string {
  const upTo = (end: number) => {
    const kept = text.slice(0, end).trimEnd()
    if (mark === '' || kept === '') return kept
    return `${kept.replace(/[\s\p{Pd},;:.…([{"“‘'#@]+$/u, '')}${mark}`
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
