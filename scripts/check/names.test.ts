import { expect, test } from 'vitest'
import { nameComplaints } from './names.ts'

/** Guarantee: nothing committed ties the repository to one machine or to one source of packages. */
// The forbidden words are put together here, or this file would be refused itself.
const slash = '/'
const dot = '.'

test.each([
  `"resolved": "https:${slash}${slash}registry${dot}example.com${slash}a.tgz"`,
  `cd ${slash}work${slash}main`,
  `dir = '${slash}root${slash}x'`,
  `..${slash}shared${slash}design.md`,
  `..${slash}shared${slash}conformance${slash}check.mjs`,
])('refuses %s', (text) => {
  expect(nameComplaints({ path: 'a.ts', text })).toHaveLength(1)
})

test.each([`https://example.com/work/1`, `src/work/a.ts`, `connectors.registry.size`])('allows %s', (text) => {
  expect(nameComplaints({ path: 'a.ts', text })).toEqual([])
})
