import { countCodePoints } from '@carillon/core'

/**
 * Letters, digits and underscores, with a letter among them: the form that every platform we know takes. Marks are what many scripts
 * write vowels with.
 */
const valid = /^(?=.*\p{L})[\p{L}\p{M}\p{N}_]+$/u
const charactersMax = 50

/** Two tags that a platform shows on one page are one tag. */
export function hashtagKey(tag: string): string {
  return bare(tag).normalize('NFKC').toLowerCase()
}

/** The usable ones of what a model suggested: valid, once each, and none that is already known. */
export function cleanHashtags(suggested: unknown, known: ReadonlySet<string>): string[] {
  if (!Array.isArray(suggested)) return []
  const seen = new Set(known)
  const tags: string[] = []
  for (const word of suggested) {
    const tag = joined(word)
    const key = hashtagKey(tag)
    if (!valid.test(tag) || countCodePoints(tag) > charactersMax || seen.has(key)) continue
    seen.add(key)
    tags.push(`#${tag}`)
  }
  return tags
}

/** `fresh bread` and `fresh-bread` are meant as `freshBread`. */
function joined(word: unknown): string {
  if (typeof word !== 'string') return ''
  return bare(word.normalize('NFC'))
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[\s\-&]+(.?)/gu, (_, next: string) => next.toUpperCase())
}

function bare(tag: string): string {
  return tag
    .trim()
    .replace(/^[#＃]+/u, '')
    .trim()
}
