import { expect, test } from 'vitest'
import { findLinks, withLink } from './links.ts'

/** Guarantee: a link is found as a person sees it, without the sentence around it. */
test.for([
  ['See https://a.example/x.', ['https://a.example/x']],
  ['(https://a.example/x)', ['https://a.example/x']],
  ['https://a.example/bell_(tower), and https://b.example', ['https://a.example/bell_(tower)', 'https://b.example']],
  ['見て https://a.example/x。次', ['https://a.example/x']],
  ['🔔https://a.example?q=1&r=2!', ['https://a.example?q=1&r=2']],
  ['a.example and ftp://b.example', []],
] as const)('%s', ([text, links]) => {
  expect(findLinks(text).map(({ value }) => value)).toEqual(links)
  for (const { start, end, value } of findLinks(text)) expect(text.slice(start, end)).toBe(value)
})

/** Guarantee: a link is added once. */
test('a link already in the text is not added again', () => {
  expect(withLink('Bells', 'https://a.example')).toBe('Bells\n\nhttps://a.example')
  expect(withLink('Bells: https://a.example.', 'https://a.example')).toBe('Bells: https://a.example.')
  expect(withLink('', 'https://a.example')).toBe('https://a.example')
  expect(withLink('Bells', null)).toBe('Bells')
})
