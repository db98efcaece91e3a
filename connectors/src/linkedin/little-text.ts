const reserved = /[\\|{}@[\]()<>#*_~]/g
/** A hashtag in an escaped text, but not the fragment of a URL or a number sign inside a word. */
const escapedHashtag = /\\#(?<![\p{L}\p{N}_/&#]\\#)((?:[\p{L}\p{N}]|\\_)*\p{L}(?:[\p{L}\p{N}]|\\_)*)/gu

/** Encodes plain text in LinkedIn's "little text" format: reserved characters are escaped, hashtags stay hashtags. */
export function toLittleText(text: string): string {
  return text.replaceAll(reserved, String.raw`\$&`).replaceAll(escapedHashtag, String.raw`{hashtag|\#|$1}`)
}

/** A hashtag has no braces, escaped ones included: the search for the end of a template stops at the next brace, so the time is linear. */
const hashtagTemplate = /\{hashtag\|\\?[#＃]\|((?:[^{}\\]|\\[^{}])+)\}/gs

/** The text that people see of a commentary: without escapes, and with hashtags as they are written. */
export function plainText(commentary: string): string {
  return commentary.replaceAll(hashtagTemplate, '#$1').replaceAll(/\\(.)/gs, '$1')
}
