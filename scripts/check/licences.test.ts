import { expect, test } from 'vitest'
import { findLicenceProblems } from './licences.ts'

const listed = (name: string, license: string) => ({ name, versions: ['1.0.0'], license })

/** Guarantee: a dependency with a licence that nobody decided about fails the check, with its name. */
test.each([
  ['AGPL-3.0-only', 1],
  ['Unknown', 1],
  ['MPL-2.0', 1],
  ['MIT AND GPL-2.0', 1],
  ['MIT', 0],
  ['(MIT OR GPL-2.0)', 0],
  ['MIT AND ISC', 0],
])('of what is shipped, %s causes %i problems', (license, count) => {
  const problems = findLicenceProblems({ shipped: [listed('bell', license)], tools: [] })
  expect(problems).toHaveLength(count)
  for (const { path } of problems) expect(path).toBe('bell 1.0.0')
})

test('a tool may have MPL-2.0, and an exception holds only for its package and its licence', () => {
  const tools = [
    listed('axe-core', 'MPL-2.0'),
    listed('@restatedev/restate-server-linux-x64', 'BSL'),
    listed('@restatedev/restate-server', 'AGPL-3.0-only'),
    listed('other', 'BSL'),
  ]
  expect(findLicenceProblems({ shipped: [], tools }).map(({ path }) => path)).toEqual([
    '@restatedev/restate-server 1.0.0',
    'other 1.0.0',
  ])
})
