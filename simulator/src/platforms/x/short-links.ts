import { createHash } from 'node:crypto'

// X also treats a bare domain as a link. Its list of top-level domains has over a thousand entries; these are the frequent ones.
const endings =
  'com|org|net|edu|gov|io|dev|app|ai|co|me|tv|info|biz|uk|de|fr|nl|es|it|eu|us|ca|au|jp|in|br|ch|se|no|pl|xyz|blog|social|news|shop'
// After the host, twitter-text takes letters of Latin and Cyrillic only: text of another script that directly follows does not belong to a link.
const letter = '\\p{Script=Latin}\\p{Script=Cyrillic}0-9'
const tail = `(?:[/?](?:[${letter}!*';:=+,.$/%#\\[\\]\\-_~@|&?]|\\([${letter}=_/.-]*\\))*)?(?<![.,;:!?'\\]])`
const host = '(?:[a-z0-9-]+\\.)+'
const shortenable = new RegExp(
  `https?://${host}[a-z]{2,}(?::\\d+)?${tail}|(?<![\\w@.#$/-])${host}(?:${endings})\\b${tail}`,
  'giu',
)

export function findShortenable(text: string): string[] {
  return text.includes('.') || text.includes('://') ? [...text.matchAll(shortenable)].map(([found]) => found) : []
}

export function replaceShortenable(text: string, change: (url: string) => string): string {
  return text.replaceAll(shortenable, (found) => change(found))
}

/** The same link has a different short form in each post, so texts cannot be compared by their links. */
export function shorten(url: string, postId: string): string {
  return `https://t.co/${createHash('sha256').update(`${postId} ${url}`).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 10)}`
}
