import { manifests } from '@carillon/connectors/manifests'
import { expect, test } from 'vitest'
import { platformNameOf } from './platform-name.ts'

/** Guarantee: no page shows the code of a platform while it loads. */
test('a platform has its name before the server has answered', () => {
  for (const { platform, name } of Object.values(manifests)) expect(platformNameOf(undefined, platform)).toBe(name)
})

test('the server knows better, and a platform that nobody knows has its code', () => {
  expect(platformNameOf([{ platform: 'x', name: 'Twitter' }], 'x')).toBe('Twitter')
  expect(platformNameOf([], 'ringer')).toBe('ringer')
})
