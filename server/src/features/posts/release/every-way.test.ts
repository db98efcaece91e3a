import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..')

/** What makes channels due. */
const release = /\btransition(?::| =).*'(?:schedule|retry)'|\binsertPost\(|\bchangeScheduledChannels\(|\bretryParts\(/
const permit = /\bawait permit(?:Release|Checked)\(/

/** Nobody's request: the post keeps the time that it was released with. */
const ofCarillon = ['schedule/apply-time-zone-rules.ts']

test('guarantee: every file that makes channels due asks first whether the API key may release them', () => {
  const files = globSync('**/*.ts', { cwd: folder }).filter((path) => !/\.(?:test|store|fixture)\.ts$/.test(path))
  const ways = files.filter((path) => release.test(readFileSync(join(folder, path), 'utf8')))
  expect(ways.length).toBeGreaterThanOrEqual(7)
  const unasked = ways.filter((path) => !permit.test(readFileSync(join(folder, path), 'utf8')))
  expect(unasked).toEqual(ofCarillon)
})
