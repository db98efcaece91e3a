import { findLinks, type Span } from './find-links.ts'

const mention = /(?<=^|[\s(])@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)/gi
const hashtag = /(?<=^|\s)[#＃](?!\ufe0f)(\S+)/gu
const hashtagLengthMax = 64

export type Facet = {
  index: { byteStart: number; byteEnd: number }
  features: readonly [{ $type: string; uri?: string; did?: string; tag?: string }]
}

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
  const links = findLinks(text)
  const isInLink = ({ start }: Span) => links.some((link) => start >= link.start && start < link.end)
  return [
    ...links.map((span) => createFacet(text, span, { $type: 'app.bsky.richtext.facet#link', uri: span.value })),
    ...findHashtags(text)
      .filter((span) => !isInLink(span))
      .map((span) => createFacet(text, span, { $type: 'app.bsky.richtext.facet#tag', tag: span.value })),
    ...findMentions(text).flatMap((span) => {
      const did = dids[span.value]
      return did === undefined || isInLink(span)
        ? []
        : [createFacet(text, span, { $type: 'app.bsky.richtext.facet#mention', did })]
    }),
  ].toSorted((a, b) => a.index.byteStart - b.index.byteStart)
}

function findHashtags(text: string): Span[] {
  return Array.from(text.matchAll(hashtag), (match) => {
    const value = (match[1] ?? '').replace(/[\p{P}\p{Cf}]+$/u, '')
    return { start: match.index, end: match.index + 1 + value.length, value }
  }).filter(({ value }) => value.length <= hashtagLengthMax && /[^\d\p{P}]/u.test(value))
}

function createFacet(text: string, { start, end }: Span, feature: Facet['features'][0]): Facet {
  return { index: { byteStart: bytesBefore(text, start), byteEnd: bytesBefore(text, end) }, features: [feature] }
}

function bytesBefore(text: string, position: number): number {
  return new TextEncoder().encode(text.slice(0, position)).length
}
