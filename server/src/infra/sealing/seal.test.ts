import { expect, test } from 'vitest'
import { open, seal } from './seal.ts'
import { parseSecretKeys } from './secret-keys.ts'

const keyOf = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const keys = parseSecretKeys(`k1:${keyOf(1)}`)
const place = { workspaceId: 'w', rowId: 'r', column: 'credentials' }

test('a sealed value opens where it was sealed', () => {
  expect(open(keys, place, seal(keys, place, 'token'))).toBe('token')
})

test.each([{ workspaceId: 'other' }, { rowId: 'other' }, { column: 'other' }])(
  'guarantee: a sealed value that is copied to another place does not open: %o',
  (elsewhere) => {
    const sealed = seal(keys, place, 'token')
    expect(() => open(keys, { ...place, ...elsewhere }, sealed)).toThrow('authenticate data')
  },
)

test('guarantee: a changed byte is noticed', () => {
  const sealed = seal(keys, place, 'token')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => open(keys, place, changed)).toThrow(/authenticate data|needs key/)
  }
})

test('guarantee: after a new key was added in front, older values still open', () => {
  const rotated = parseSecretKeys(`k2:${keyOf(2)},k1:${keyOf(1)}`)
  expect(open(rotated, place, seal(keys, place, 'token'))).toBe('token')
  expect(() => open(keys, place, seal(rotated, place, 'token'))).toThrow('k2')
})
