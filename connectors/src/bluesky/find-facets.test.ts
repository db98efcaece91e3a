import { expect, test } from 'vitest'
import { linearGrowthMax, measureGrowth } from '../../test/measure-growth.ts'
import { findFacets } from './find-facets.ts'

/** Guarantee: facets cover exactly the links, tags and mentions, with positions in UTF-8 bytes. */
test('links, tags and known mentions become facets', () => {
  const text = 'Grüße 🔔 @bell.example.com (https://a.example/x), #Glocken! #2026 @unknown.example.com'
  const facets = findFacets(text, { 'bell.example.com': 'did:plc:bell' })
  const bytes = new TextEncoder().encode(text)
  const found = facets.map(({ index, features: [feature] }) => [
    new TextDecoder().decode(bytes.slice(index.byteStart, index.byteEnd)),
    feature,
  ])
  expect(found).toEqual([
    ['@bell.example.com', { $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:bell' }],
    ['https://a.example/x', { $type: 'app.bsky.richtext.facet#link', uri: 'https://a.example/x' }],
    ['#Glocken', { $type: 'app.bsky.richtext.facet#tag', tag: 'Glocken' }],
  ])
})

test('a tag or mention inside a link is part of the link', () => {
  expect(findFacets('https://a.example/@bell.example.com#top', { 'bell.example.com': 'did:plc:bell' })).toHaveLength(1)
})

/** Guarantee: a text costs linear time, whatever is in it. */
test.for(['@', '@a.', '@a.b ', '#', '# ', '#a ', '#!', '.', 'https://', 'https://a.b ', 'https://a.b)', 'a.', '(', ')', ' '])(
  '100 kB of %s are scanned in linear time',
  (part) => {
    const text = part.repeat(100_000 / part.length)
    const hostile = `https://a.example/${text}`
    for (const scanned of [text, hostile])
      expect(measureGrowth(scanned, (each) => findFacets(each, { 'a.b': 'did:plc:a' }))).toBeLessThan(linearGrowthMax)
  },
)
