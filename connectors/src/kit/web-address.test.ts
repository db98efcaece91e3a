import { expect, test } from 'vitest'
import { slugOf, webUrl } from './web-address.ts'

test.each([
  ['Über Glocken & Türme!', 'uber-glocken-turme-9abcdef012345678'],
  [null, 'post-9abcdef012345678'],
  ['鐘', 'post-9abcdef012345678'],
  ['bell '.repeat(40), `${'bell-'.repeat(16).slice(0, -1)}-9abcdef012345678`],
])('the slug of "%s" has only letters and digits, and the end of the key', (title, slug) => {
  expect(slugOf({ title }, { key: '01234567-89AB-7cde-9abc-def012345678' })).toBe(slug)
})

test('only an address that a browser may open is one', () => {
  expect(['https://a.example/x', 'http://a.example'].map(webUrl)).toEqual(['https://a.example/x', 'http://a.example/'])
  expect(['javascript:alert(1)', 'nothing', undefined, 7].map(webUrl)).toEqual([null, null, null, null])
})
