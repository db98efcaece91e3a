import { expect, test } from 'vitest'
import { isOlderRelease } from './check-schema.ts'

test.for([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['1.2.3', '1.2.3', false],
  ['2.0.0', '1.9.9', false],
  ['1.2.2', 'v1.2.3', true],
  ['unknown', '1.0.0', false],
] as const)('%s before %s: %s', ([version, than, isOlder]) => {
  expect(isOlderRelease(version, than)).toBe(isOlder)
})
