/**
 * `own` is said by a key that the post carries, never by its text. `maybe` means that the texts cannot be told apart for certain: their links
 * differ, or there is no text to compare.
 */
export type Match = 'own' | 'same' | 'maybe' | 'other'

/** Composing characters can shorten a text, but not by more than this factor. */
const lengthFactorMax = 4
const lengthMargin = 200
const comparedMax = 200_000

/** Compares the text of a draft with the text that a platform shows, links included. Spacing and Unicode composition do not count. */
export function compareText(sent: string, shown: string): Match {
  if (isFarLonger(shown, sent)) return 'other'
  const [wanted, found] = [normalizeText(sent), normalizeText(shown)]
  if (wanted === found) return wanted === '' ? 'maybe' : 'same'
  // No platform takes such a post, so its words need not be looked at.
  if (wanted.length > comparedMax) return 'maybe'
  // Platforms rewrite links in ways they do not document. Equal words with other links are therefore a doubt, not a proof.
  return withoutLinks(wanted) === withoutLinks(found) ? 'maybe' : 'other'
}

/**
 * Is a shown text far too long to be the one that was sent? Then it need not be looked at: a server that a person chose can send
 * anything.
 */
export function isFarLonger(shown: string, sent: string): boolean {
  return shown.length > sent.length * lengthFactorMax + lengthMargin
}

function normalizeText(text: string): string {
  return composeText(text).replaceAll(/\s+/g, ' ').trim()
}

/** Leaves out every word that may be a link: it contains `://`, or a dot between two other characters. */
function withoutLinks(text: string): string {
  return text
    .split(' ')
    .filter((word) => !word.includes('://') && !/[^.]\.[^.]/.test(word))
    .join(' ')
}

/** Longer than any sequence of combining marks in a real language. Unicode's "stream-safe" format has the same limit. */
const longMarks = /\p{M}{31,}/gu

/**
 * The text in Unicode's composed form (NFC), in linear time. Sorting a long sequence of combining marks takes quadratic time, so a sequence
 * that is longer than any language needs stays as it is.
 */
function composeText(text: string): string {
  let composed = ''
  let from = 0
  for (const marks of text.matchAll(longMarks)) {
    composed += text.slice(from, marks.index).normalize('NFC') + marks[0]
    from = marks.index + marks[0].length
  }
  return composed + text.slice(from).normalize('NFC')
}
