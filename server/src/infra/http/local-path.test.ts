import { expect, test } from 'vitest'
import { localPath, withParameters } from './local-path.ts'

/** Guarantee: a redirect to a path that a user chose stays on this host. */
test.each([
  '//evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  '/%2e//evil.example',
  '/./%2E//evil.example',
  '/\\evil.example',
  '\t//evil.example',
  '/\t/evil.example',
  '/ /evil.example',
  'https://evil.example',
  'evil.example',
  '',
])('%j is refused', (path) => {
  expect(localPath(path)).toBeNull()
})

test('a path of this host is normalised', () => {
  expect(localPath('/a/../integrations?tab=all#x')).toBe('/integrations?tab=all#x')
  expect(localPath('/integrations//list')).toBe('/integrations//list')
  expect(withParameters('/integrations?tab=all#x', { attempt: 'a b' })).toBe('/integrations?tab=all&attempt=a+b#x')
  expect(withParameters('/.//evil.example', { attempt: 'a' })).toBe('/?attempt=a')
})
