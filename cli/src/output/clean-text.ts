/** Control characters, characters that turn the direction of writing, and invisible ones: they can change what a terminal shows. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]/gu
/** Invisible, but parts of letters and emoji. */
const joiners = new Set(['\u200c', '\u200d'])

/** A text that somebody else wrote, for a terminal: without hidden characters, and on one line unless `hasLines`. */
export function cleanText(text: string, { hasLines = false }: { hasLines?: boolean } = {}): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(hidden, (character) => {
      if (character === '\n') return hasLines ? '\n' : ' '
      if (character === '\t') return ' '
      return joiners.has(character) ? character : ''
    })
    .trim()
}
