import { expect, test } from 'vitest'
import { findLinks } from './find-links.ts'

/** Guarantee: a link is found without the punctuation of the sentence around it. */
test.for([
  ['See https://a.example/x.', ['https://a.example/x']],
  ['(https://a.example/x)', ['https://a.example/x']],
  ['https://a.example/bell_(tower), and https://b.example', ['https://a.example/bell_(tower)', 'https://b.example']],
  ['見て https://a.example/x。次', ['https://a.example/x']],
  ['🔔https://a.example?q=1&r=2!', ['https://a.example?q=1&r=2']],
  ['a https://example.com/a_ b', ['https://example.com/a_']],
  ['a.example and ftp://b.example', []],
] as const)('%s', ([text, links]) => {
  expect(findLinks(text).map(({ value }) => value)).toEqual(links)
  for (const { start, end, value } of findLinks(text)) expect(text.slice(start, end)).toBe(value)
})
