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

/** The name of a hashtag has its braces escaped, so a template ends at the next brace, and no input makes this backtrack far. */
const hashtagTemplate = /\{hashtag\|\\?[#＃]\|((?:[^{}\\]|\\.)+)\}/gs

/** The text that people see of a commentary: without escapes, and with hashtags as they are written. */
export function plainText(commentary: string): string {
  return commentary.replaceAll(hashtagTemplate, '#$1').replaceAll(/\\(.)/gs, '$1')
}
