const reserved = /[\\|{}@[\]()<>#*_~]/g
/** A hashtag, but not the fragment of a URL or a number sign inside a word. */
const hashtag = /(?<![\p{L}\p{N}_/&#])#([\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*)/gu

/** Encodes plain text in LinkedIn's "little text" format: reserved characters are escaped, hashtags stay hashtags. */
export function toLittleText(text: string): string {
  let written = ''
  let from = 0
  for (const found of text.matchAll(hashtag)) {
    written += `${escaped(text.slice(from, found.index))}{hashtag|\\#|${escaped(found[1] ?? '')}}`
    from = found.index + found[0].length
  }
  return written + escaped(text.slice(from))
}

function escaped(text: string): string {
  return text.replaceAll(reserved, String.raw`\$&`)
}

/** A commentary without escapes and differences in spacing, for comparing two of them. */
export function comparableText(commentary: string): string {
  return commentary
    .replaceAll(/\{hashtag\|\\?[#＃]\|((?:[^}\\]|\\.)+)\}/g, '#$1')
    .replaceAll(/\\(.)/gs, '$1')
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
