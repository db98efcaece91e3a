const reservedCodes = new Set(Array.from('\\|{}@[]()<>#*_~', (character) => character.charCodeAt(0)))
const largestReservedCode = Math.max(...reservedCodes)
const hashSign = 35

/** A hashtag has at least one letter. Sticky: it is tried at one position only. */
const hashtag = /#[\p{N}_]*\p{L}[\p{L}\p{N}_]*/uy
/** After one of these, a number sign is the fragment of a URL or part of a word. */
const blocksHashtag = /[\p{L}\p{N}_/&#]$/u

/**
 * Encodes plain text in LinkedIn's "little text" format: reserved characters are escaped, hashtags stay hashtags. One pass over the text,
 * because replacing by patterns costs several times as much.
 */
export function toLittleText(text: string): string {
  let encoded = ''
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > largestReservedCode || !reservedCodes.has(code)) continue
    const tag = code === hashSign ? readHashtag(text, at) : null
    encoded += text.slice(copied, at)
    encoded +=
      tag === null ? `\\${text.charAt(at)}` : `{hashtag|\\#|${tag.includes('_') ? tag.replaceAll('_', String.raw`\_`) : tag}}`
    at += tag?.length ?? 0
    copied = at + 1
  }
  return encoded + text.slice(copied)
}

/** The hashtag whose number sign is at this position; null if none starts there. */
function readHashtag(text: string, at: number): string | null {
  const before = at === 0 ? ' ' : text.charAt(at - 1)
  if (before === '#' || (before !== ' ' && blocksHashtag.test(text.slice(Math.max(0, at - 2), at)))) return null
  hashtag.lastIndex = at
  return hashtag.test(text) ? text.slice(at + 1, hashtag.lastIndex) : null
}

/** A hashtag has no braces, escaped ones included: the search for the end of a template stops at the next brace, so the time is linear. */
const hashtagTemplate = /\{hashtag\|\\?[#＃]\|((?:[^{}\\]|\\[^{}])+)\}/gs

/** The text that people see of a commentary: without escapes, and with hashtags as they are written. */
export function plainText(commentary: string): string {
  return commentary.replaceAll(hashtagTemplate, '#$1').replaceAll(/\\(.)/gs, '$1')
}
