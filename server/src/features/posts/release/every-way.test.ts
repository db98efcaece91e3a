import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..')

/** What makes channels due. */
const release = /\btransition(?::| =).*'(?:schedule|retry)'|\binsertPost\(|\bchangeScheduledChannels\(|\bretryParts\(/
const permit = /\bawait permit(?:Release|Checked)\(/

/** Nobody's request: the post keeps the time that it was released with. */
const ofCarillon = ['moveToWallTime']

const functionsOf = (text: string) => text.split(/^(?=(?:export )?(?:async )?function )/m)
const nameOf = (text: string) => /function (\w+)/.exec(text)?.[1]

test('guarantee: every function that makes channels due asks first whether the API key may release them', () => {
  const files = globSync('**/*.ts', { cwd: folder }).filter((path) => !/\.(?:test|store|fixture)\.ts$/.test(path))
  const ways = files.flatMap((path) => functionsOf(readFileSync(join(folder, path), 'utf8'))).filter((text) => release.test(text))
  expect(ways.length).toBeGreaterThanOrEqual(7)
  expect(ways.filter((text) => !permit.test(text)).map(nameOf)).toEqual(ofCarillon)
})
