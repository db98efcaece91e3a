/** `maybe` means that the texts cannot be told apart for certain: their links differ, or there is no text to compare. */
export type Match = 'same' | 'maybe' | 'other'

/** Composing characters can shorten a text, but not by more than this factor. */
const lengthFactorMax = 4
const lengthMargin = 200

/** Compares the text of a draft with the text that a platform shows, links included. Spacing and Unicode composition do not count. */
export function compareText(sent: string, shown: string): Match {
  if (isFarLonger(shown, sent)) return 'other'
  const [wanted, found] = [normalizeText(sent), normalizeText(shown)]
  if (wanted === found) return wanted === '' ? 'maybe' : 'same'
  // Platforms rewrite links in ways they do not document. Equal words with other links are therefore a doubt, not a proof.
  return withoutLinks(wanted) === withoutLinks(found) ? 'maybe' : 'other'
}

/**
 * Is a shown text far too long to be the one that was sent? Then it need not be looked at: a server that a person chose can send anything,
 * and Unicode normalization takes quadratic time for some texts.
 */
export function isFarLonger(shown: string, sent: string): boolean {
  return shown.length > sent.length * lengthFactorMax + lengthMargin
}

function normalizeText(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}

/** Leaves out every word that may be a link: it contains `://`, or a dot between two other characters. */
function withoutLinks(text: string): string {
  return text
    .split(' ')
    .filter((word) => !word.includes('://') && !/[^.]\.[^.]/.test(word))
    .join(' ')
}
