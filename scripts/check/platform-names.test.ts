import { expect, test } from 'vitest'
import { checkPlatformNames } from './platform-names.ts'

/** Guarantee: shared code does not depend on one platform, neither in code nor in comments. */
test.each([
  ['server/src/features/posts/a.ts', `if (platform === 'tiktok') return`],
  ['core/src/a.ts', '// As LinkedIn counts it.'],
  ['sdk/src/a.ts', `const first = 'x'`],
  ['server/src/a.ts', `if (platform === 'http') return`],
  ['contract/src/a.ts', '/** Threads takes ten. */'],
  ['contract/src/a.ts', `type Counting = 'threads-bytes'`],
])('%s refuses %s', (path, text) => {
  expect(checkPlatformNames({ path, text })).toHaveLength(1)
})

test.each([
  ['server/src/features/media/a.ts', '// Native threads keep the process open.'],
  ['server/src/features/media/a.ts', `const args = ['-threads', '1']`],
  ['server/src/a.ts', `import { serve } from './infra/http/serve.ts' // Plain HTTP.`],
  ['core/src/a.ts', 'const x = points.map(({ x }) => x)'],
  ['core/src/count-text.ts', '/** A mention as Mastodon reads it. */'],
  ['core/src/a.test.ts', `check('mastodon')`],
  ['contract/src/platforms.ts', `export const platforms = ['bluesky']`],
  ['contract/src/examples/ai.ts', `const platform = 'bluesky'`],
  ['sdk/src/types.gen.ts', `type Platform = 'bluesky'`],
  ['connectors/src/bluesky/send.ts', `const name = 'bluesky'`],
])('%s allows %s', (path, text) => {
  expect(checkPlatformNames({ path, text })).toEqual([])
})

test('the violation names the line', () => {
  const violations = checkPlatformNames({ path: 'core/src/a.ts', text: 'const a = 1\n// On Bluesky.' })
  expect(violations).toEqual([{ path: 'core/src/a.ts:2', problem: 'names a platform: Bluesky' }])
})
