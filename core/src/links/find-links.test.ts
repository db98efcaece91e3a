import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findLinks } from './find-links.ts'

const linksIn = (text: string, bare = false) => findLinks(text, { bare }).map((link) => link.text)

test.each([
  ['see https://example.com/a?b=c#d, then', ['https://example.com/a?b=c#d']],
  ['(https://en.wikipedia.org/wiki/Bell_(instrument))', ['https://en.wikipedia.org/wiki/Bell_(instrument)']],
  ['[x](https://example.com)', ['https://example.com']],
  ['HTTPS://EXAMPLE.COM/', ['HTTPS://EXAMPLE.COM/']],
  ['https://пример.рф/путь', ['https://пример.рф/путь']],
  ['https://example.com:8443/x!', ['https://example.com:8443/x']],
  ['http://localhost:3000 https://nodot', []],
  ['example.com', []],
  ['ftp://example.com', []],
])('%j contains the links %j', (text, links) => {
  expect(linksIn(text)).toEqual(links)
})

test('a host name without a scheme is a link only with `bare` and under a common domain', () => {
  expect(linksIn('example.com, a.b.example.org/x and file.txt, me@example.com', true)).toEqual([
    'example.com',
    'a.b.example.org/x',
  ])
})

test.each([
  ['日本語example.comこれ', ['日本語example.com']],
  ['例え.comへ', ['例え.com']],
  ['نص مثال.com هنا', ['مثال.com']],
  ['@日本.com #日本.com a@日本.com', ['本.com', '本.com', '本.com']],
  ['a..com -.com _.com', []],
  [`${'a'.repeat(64)}.com ${'あ'.repeat(64)}.com`, ['あ'.repeat(63) + '.com']],
  ['example.com日本.org', ['example.com日本.org']],
  ['https://日本.みんな https://a.xn--p1ai/x', ['https://日本.みんな', 'https://a.xn--p1ai/x']],
])('bare links next to other scripts: %j', (text, links) => {
  expect(linksIn(text, true)).toEqual(links)
})

test('start and end of a link delimit exactly its text', () => {
  fc.assert(
    fc.property(fc.string(), fc.webUrl(), fc.string(), (before, url, after) => {
      const text = `${before} ${url} ${after}`
      for (const link of findLinks(text, { bare: true })) expect(text.slice(link.start, link.end)).toBe(link.text)
    }),
  )
})
