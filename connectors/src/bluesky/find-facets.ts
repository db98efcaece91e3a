import { findLinks, type Span } from './find-links.ts'

const mention = /(?<=^|[\s(])@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)/gi
const hashtag = /(?<=^|\s)[#＃](?!\ufe0f)(\S+)/gu
const hashtagLengthMax = 64

export type Facet = {
  index: { byteStart: number; byteEnd: number }
  features: readonly [Feature]
}

type Feature = { $type: string; uri?: string; did?: string; tag?: string }

/** The handles that a text mentions, in lower case. They may not exist. */
export function findMentions(text: string): Span[] {
  return Array.from(text.matchAll(mention), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: (match[1] ?? '').toLowerCase(),
  }))
}

/** The clickable parts of a text. Bluesky does not detect them itself, and counts positions in UTF-8 bytes. */
export function findFacets(text: string, dids: Readonly<Record<string, string>>): Facet[] {
  const spans: (Span & { feature: Feature })[] = [
    ...findLinks(text).map((span) => ({ ...span, feature: { $type: 'app.bsky.richtext.facet#link', uri: span.value } })),
    ...findHashtags(text).map((span) => ({ ...span, feature: { $type: 'app.bsky.richtext.facet#tag', tag: span.value } })),
    ...findMentions(text).flatMap((span) => {
      const did = dids[span.value]
      return did === undefined ? [] : [{ ...span, feature: { $type: 'app.bsky.richtext.facet#mention', did } }]
    }),
  ].toSorted((a, b) => a.start - b.start)

  // One pass over the sorted spans: what starts inside a link is part of it, and the bytes before each span are counted once.
  const facets: Facet[] = []
  let [at, bytes, linkEnd] = [0, 0, 0]
  for (const { start, end, feature } of spans) {
    if (start < linkEnd) continue
    if (feature.uri !== undefined) linkEnd = end
    const byteStart = bytes + byteLength(text.slice(at, start))
    const byteEnd = byteStart + byteLength(text.slice(start, end))
    facets.push({ index: { byteStart, byteEnd }, features: [feature] })
    at = end
    bytes = byteEnd
  }
  return facets
}

function findHashtags(text: string): Span[] {
  return Array.from(text.matchAll(hashtag), (match) => {
    const value = withoutPunctuation(match[1] ?? '')
    return { start: match.index, end: match.index + 1 + value.length, value }
  }).filter(({ value }) => value.length <= hashtagLengthMax && /[^\d\p{P}]/u.test(value))
}

/** Takes characters off the end one by one: a pattern that ends with `+$` takes quadratic time for a text full of punctuation. */
function withoutPunctuation(text: string): string {
  if (!/[\p{P}\p{Cf}]/u.test(text)) return text
  const characters = [...text]
  while (/^[\p{P}\p{Cf}]$/u.test(characters.at(-1) ?? '')) characters.pop()
  return characters.join('')
}

function byteLength(text: string): number {
  return Buffer.byteLength(text)
}
