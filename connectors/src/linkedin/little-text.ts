const reserved = /[\\|{}@[\]()<>#*_~]/g
/** A hashtag as people write it; not a fragment of an address, not a number sign inside a word. */
const hashtag = /(?<![\p{L}\p{N}_/&#])#([\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*)/gu

/** Writes plain text in LinkedIn's own format: every reserved character escaped, hashtags kept as hashtags. */
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

/** The words of a commentary, without what may be written in several ways. */
export function comparableText(commentary: string): string {
  return commentary
    .replaceAll(/\{hashtag\|\\?[#＃]\|((?:[^}\\]|\\.)+)\}/g, '#$1')
    .replaceAll(/\\(.)/gs, '$1')
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
