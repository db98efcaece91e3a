import { expect, test } from 'vitest'
import { checkRegularExpressions, findPatterns } from './regular-expressions.ts'

const check = (text: string, path = 'server/src/features/a.ts') =>
  checkRegularExpressions([{ path, text }]).map(({ problem }) => problem)

/** Guarantee: a pattern that takes more than linear time for some text does not pass the check. */
test.each([String.raw`/<[^>]*>/g`, String.raw`/\s+$/`, '/(?:a+)+b/', String.raw`/^[^@]+@[^@]+\.[^@]+$/`])(
  '%s is refused',
  (pattern) => {
    expect(check(`const slow = ${pattern}`).join()).toMatch(/takes .*(?:polynomial|exponential) time/)
  },
)

test.each([String.raw`/[^a-z0-9]+/g`, String.raw`/^\d+(?:\.\d+)?$/`, String.raw`/\bgzip\b/`])('%s passes', (pattern) => {
  expect(check(`const fast = ${pattern}`)).toEqual([])
})

test('a slow pattern that recheck finds by searching is refused', () => {
  expect(check(String.raw`const slow = /(?<=x)(?:a{1,200})+b/`).join()).toMatch(/takes .*\(fuzz\) time/)
})

test('a harmless pattern of which some searches say that it is slow passes, always', () => {
  const texts = Array.from({ length: 2 }, (_, n) => String.raw`const fast = /(:\/\/[^\s:/@]{1,20${n}}:)[^\s/@]+@/g`)
  expect(texts.flatMap((text) => check(text))).toEqual([])
}, 240_000)

test('a pattern that is built while the program runs is refused', () => {
  expect(check('export const named = (name: string) => new RegExp(`^${name}+$`)')).toHaveLength(1)
})

test('tests and other packages are left out', () => {
  expect(check('const slow = /<[^>]*>/g', 'server/src/features/a.test.ts')).toEqual([])
  expect(check('const slow = /<[^>]*>/g', 'bench/src/a.ts')).toEqual([])
})

test('a violation names the line', () => {
  expect(findPatterns({ path: 'server/src/a.ts', text: '\n\nconst a = /b/u' })).toEqual([{ source: 'b', flags: 'u', line: 3 }])
})
