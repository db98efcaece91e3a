import { expect, test } from 'vitest'
import { findFacets } from './find-facets.ts'

/** Guarantee: what can be clicked is exactly the words meant, counted in UTF-8 bytes. */
test('links, tags and known mentions', () => {
  const text = 'Grüße 🔔 @bell.example.com (https://a.example/x), #Glocken! #2026 @nobody.example.com'
  const facets = findFacets(text, { 'bell.example.com': 'did:plc:bell' })
  const bytes = new TextEncoder().encode(text)
  const seen = facets.map(({ index, features: [feature] }) => [
    new TextDecoder().decode(bytes.slice(index.byteStart, index.byteEnd)),
    feature,
  ])
  expect(seen).toEqual([
    ['@bell.example.com', { $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:bell' }],
    ['https://a.example/x', { $type: 'app.bsky.richtext.facet#link', uri: 'https://a.example/x' }],
    ['#Glocken', { $type: 'app.bsky.richtext.facet#tag', tag: 'Glocken' }],
  ])
})

test('what looks like a tag or mention inside a link is part of the link', () => {
  expect(findFacets('https://a.example/@bell.example.com#top', { 'bell.example.com': 'did:plc:bell' })).toHaveLength(1)
})
