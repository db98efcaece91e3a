/** Each reserved character by its code, and how it is written. */
const escapes = new Map(Array.from('\\|{}@[]()<>#*_~', (character) => [character.charCodeAt(0), `\\${character}`]))
const largestReservedCode = Math.max(...escapes.keys())
const hashSign = 35
const atSign = 64

/** A hashtag has at least one letter. Sticky: it is tried at one position only. */
const hashtag = /#[\p{N}_]*\p{L}[\p{L}\p{N}_]*/uy
/** After one of these, a number sign is the fragment of a URL or part of a word. */
const blocksHashtag = /[\p{L}\p{N}_/&#]$/u

/** An organisation that a post mentions. LinkedIn links the name only if it is exactly that of the page. */
export type Mention = { name: string; organization: string }

/**
 * Encodes plain text in LinkedIn's "little text" format: reserved characters are escaped, hashtags stay hashtags, and `@Name` of a mentioned
 * organisation becomes a link to its page. One pass over the text and one list of pieces, because replacing by patterns, and adding to a
 * string, cost several times as much.
 */
export function toLittleText(text: string, mentions: readonly Mention[] = []): string {
  // The longest first: the name of one may be the beginning of another.
  const known = mentions.toSorted((one, other) => other.name.length - one.name.length)
  const pieces: string[] = []
  let copied = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const escaped = code > largestReservedCode ? undefined : escapes.get(code)
    if (escaped === undefined) continue
    const tag = code === hashSign ? readHashtag(text, at) : null
    const mention = code === atSign ? known.find(({ name }) => isMentionedAt(text, at, name)) : undefined
    if (copied < at) pieces.push(text.slice(copied, at))
    if (mention) pieces.push(`@[${escape(mention.name)}](urn:li:organization:${mention.organization})`)
    else if (tag === null) pieces.push(escaped)
    else pieces.push(`{hashtag|\\#|${tag.includes('_') ? tag.replaceAll('_', String.raw`\_`) : tag}}`)
    at += mention?.name.length ?? tag?.length ?? 0
    copied = at + 1
  }
  pieces.push(text.slice(copied))
  return pieces.join('')
}

/** The whole name after a sign that begins a word, and no letter after it: "@Bell" is not in "@Bells", and no address is a mention. */
function isMentionedAt(text: string, at: number, name: string): boolean {
  if (!text.startsWith(name, at + 1)) return false
  const end = at + 1 + name.length
  return !isWordPart.test(text.slice(Math.max(0, at - 2), at)) && !startsWord.test(text.slice(end, end + 2))
}

const isWordPart = /[\p{L}\p{N}_]$/u
const startsWord = /^[\p{L}\p{N}_]/u

function escape(name: string): string {
  return Array.from(name, (character) => escapes.get(character.charCodeAt(0)) ?? character).join('')
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

/** The search for the end of a name stops at the next bracket that is not escaped, so the time is linear. */
const mentionTemplate = /@\[((?:[^[\]\\]|\\.)+)\]\(urn:li:(?:person|organization):[\w-]+\)/gs

/** The text that people see of a commentary: without escapes, and with hashtags and names as they are written here. */
export function plainText(commentary: string): string {
  return commentary.replaceAll(mentionTemplate, '@$1').replaceAll(hashtagTemplate, '#$1').replaceAll(/\\(.)/gs, '$1')
}
