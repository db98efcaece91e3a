import { countCodePoints } from '@carillon/core'

/**
 * Letters, digits and underscores, with at least one letter: all our platforms accept this form. Marks are included because many scripts
 * use them for vowels.
 */
const valid = /^(?=.*\p{L})[\p{L}\p{M}\p{N}_]+$/u
const charactersMax = 50
/** Longer texts are no hashtags. Normalizing takes quadratic time for some of them. */
const lengthMax = 500

/** Two tags with the same key are the same tag for a platform. */
export function hashtagKey(tag: string): string {
  return withoutSign(tag.slice(0, lengthMax)).normalize('NFKC').toLowerCase()
}

/** Returns the usable hashtags among a model's suggestions: valid, without duplicates, and not yet known. */
export function cleanHashtags(suggested: unknown, known: ReadonlySet<string>): string[] {
  if (!Array.isArray(suggested)) return []
  const seen = new Set(known)
  const tags: string[] = []
  for (const suggestion of suggested) {
    const tag = joinWords(suggestion)
    const key = hashtagKey(tag)
    if (!valid.test(tag) || countCodePoints(tag) > charactersMax || seen.has(key)) continue
    seen.add(key)
    tags.push(`#${tag}`)
  }
  return tags
}

/** `fresh bread` and `fresh-bread` become `freshBread`. */
function joinWords(suggestion: unknown): string {
  if (typeof suggestion !== 'string' || suggestion.length > lengthMax) return ''
  return withoutSign(suggestion.normalize('NFC'))
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[\s\-&]+(.?)/gu, (_, next: string) => next.toUpperCase())
}

function withoutSign(tag: string): string {
  return tag
    .trim()
    .replace(/^[#＃]+/u, '')
    .trim()
}
