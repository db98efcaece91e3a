import type { PlatformRules } from '@carillon/contract'
import { checkDraft } from './check-draft.ts'
import type { Draft } from './draft.ts'
import { findLinks } from './links/find-links.ts'
import { tagDraft, type LinkTags } from './links/tag-links.ts'

type Fits = (text: string) => boolean

/** Far more than a thread may have, so that the checks refuse it: the time that a hostile text takes is bounded here. */
const partsMax = 99
const startLength = 2_000

/**
 * Makes a thread of a text that is too long for one post, or of a thread that has such texts. Null if everything fits as it is. What cannot be
 * cut stays too long, so that the checks name it. With `tags`, the parts fit with what their links get, and do not contain it.
 */
export function splitDraft(
  draft: Draft,
  rules: PlatformRules,
  { isNumbered, tags = null }: { isNumbered: boolean; tags?: LinkTags | null },
): { text: string; thread: { text: string }[] } | null {
  const fits = (text: string, isFirst: boolean) => {
    const alone: Draft = {
      ...draft,
      firstComment: null,
      medias: [],
      ...(isFirst ? { text, thread: null } : { text: '', thread: [{ text }] }),
    }
    const prefix = isFirst ? 'text_too_' : 'thread_too_'
    return !checkDraft(tagDraft(alone, tags), rules).some(({ code }) => code.startsWith(prefix))
  }
  const texts = [draft.text, ...(draft.thread ?? []).map(({ text }) => text)]
  if (texts.every((text, index) => fits(text, index === 0))) return null
  const splitWith = (suffix: string) => {
    const parts: string[] = []
    for (const text of texts) cutInto(parts, text, (part) => fits(part + suffix, parts.length === 0))
    return parts
  }
  let parts = splitWith(isNumbered ? ' 9/9' : '')
  if (isNumbered && parts.length > 9) parts = splitWith(' 99/99')
  const [text = '', ...rest] = isNumbered ? parts.map((part, index) => `${part} ${index + 1}/${parts.length}`) : parts
  return { text, thread: rest.map((part) => ({ text: part })) }
}

function cutInto(parts: string[], text: string, fits: Fits): void {
  let rest = text.trim()
  // Of a long text, its start is enough to tell that it does not fit.
  while (parts.length < partsMax && !(fits(rest.slice(0, startLength)) && fits(rest))) {
    const cut = chooseCut(rest, fits)
    if (!cut) break
    parts.push(rest.slice(0, cut.end))
    rest = rest.slice(cut.next)
  }
  parts.push(rest)
}

/** Where a text may be cut: the end of what is before, and the start of what is after. A reader minds a cut of a higher rank less. */
type Cut = { end: number; next: number; rank: number }

/** The best place in the second half of what fits: a short post is better than a cut inside a sentence, a very short one is not. */
function chooseCut(text: string, fits: Fits): Cut | null {
  const cuts = listCuts(text)
  const last = countFitting(text, cuts, fits) - 1
  const latest = cuts[last]
  if (!latest) {
    const characters = listCharacterCuts(text)
    return characters[countFitting(text, characters, fits) - 1] ?? null
  }
  let best = latest
  for (const cut of cuts.slice(0, last + 1)) if (cut.end >= latest.end / 2 && cut.rank >= best.rank) best = cut
  return best
}

/**
 * How many of the cuts leave something before them that fits. A longer text never fits if a shorter one does not. It looks from the start, so
 * that only texts of about the length of a post are counted, however long the whole is.
 */
function countFitting(text: string, cuts: readonly Cut[], fits: Fits): number {
  const fitsAt = (count: number) => fits(text.slice(0, cuts[count - 1]?.end))
  let high = 1
  while (high <= cuts.length && fitsAt(high)) high *= 2
  let low = high >> 1
  high = Math.min(high - 1, cuts.length)
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (fitsAt(middle)) low = middle
    else high = middle - 1
  }
  return low
}

const space = /\s+/g
/** Scripts without spaces end a sentence or a clause with these. A space may follow. */
const wideMark = /[。！？；，、]\s*/g
const sentenceEnd = /[.!?…]["'’”»)\]]?$/

/** Between words, and after the marks of scripts without spaces. Links and emoji contain neither. */
function listCuts(text: string): Cut[] {
  const spaces = [...text.matchAll(space)].map((match): Cut => {
    const end = match.index
    return { end, next: end + match[0].length, rank: rankOf(match[0], text.slice(Math.max(0, end - 2), end)) }
  })
  const marks = [...text.matchAll(wideMark)].map(({ index, 0: found }): Cut => {
    return { end: index + 1, next: index + found.length, rank: '。！？'.includes(found.charAt(0)) ? 1 : 0 }
  })
  return [...spaces, ...marks].filter(({ end, next }) => end > 0 && next < text.length).toSorted((a, b) => a.end - b.end)
}

function rankOf(gap: string, before: string): number {
  if (gap.includes('\n')) return gap.indexOf('\n') === gap.lastIndexOf('\n') ? 2 : 3
  return sentenceEnd.test(before) ? 1 : 0
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** No platform with threads takes this many in a post. */
const charactersMax = 5_000

/** For a word that is longer than a post: between characters as readers see them, and not inside a link. */
function listCharacterCuts(text: string): Cut[] {
  const links = findLinks(text, { bare: true })
  let at = 0
  const cuts: Cut[] = []
  for (const { index } of graphemes.segment(text)) {
    while (at < links.length && (links[at]?.end ?? 0) <= index) at++
    const isInLink = index > (links[at]?.start ?? Infinity)
    if (index > 0 && !isInLink) cuts.push({ end: index, next: index, rank: 0 })
    if (cuts.length === charactersMax) break
  }
  return cuts
}
