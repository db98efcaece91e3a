import { describe, expect, test } from 'vitest'
import { type Place, open, parseSecretKeys, seal } from './seal.ts'

/** Guarantee T16: a sealed value can be opened only in its own place and only with its own key. */

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const k1 = parseSecretKeys(key('k1', 1))
const k2k1 = parseSecretKeys(`${key('k2', 2)},${key('k1', 1)}`)
const k2 = parseSecretKeys(key('k2', 2))
const place: Place = { workspaceId: 'w1', rowId: 'r1', column: 'credentials' }
const secret = 'token-9f8e7d6c'

describe('the place', () => {
  test.each<[string, Partial<Place>]>([
    ['workspace', { workspaceId: 'w2' }],
    ['row', { rowId: 'r2' }],
    ['column', { column: 'secret' }],
    ['boundary between workspace and row', { workspaceId: 'w1/r1', rowId: '' }],
  ])('guarantee: a value copied to another %s cannot be opened', (_name, other) => {
    const sealed = seal(k1, place, secret)
    expect(open(k1, place, sealed)).toBe(secret)
    expect(() => open(k1, { ...place, ...other }, sealed)).toThrow('unable to authenticate data')
  })

  test('guarantee: neither the value nor its data key can be moved from another row', () => {
    const [one, two] = [seal(k1, place, 'one'), seal(k1, { ...place, rowId: 'r2' }, 'two')]
    const keyEnd = 1 + 2 + 12 + 32 + 16
    const mixed = [
      Buffer.concat([one.subarray(0, keyEnd), two.subarray(keyEnd)]),
      Buffer.concat([two.subarray(0, keyEnd), one.subarray(keyEnd)]),
    ]
    for (const sealed of [two, ...mixed]) expect(() => open(k1, place, sealed)).toThrow('unable to authenticate data')
  })
})

test('guarantee: a value with any bit changed cannot be opened', () => {
  const sealed = seal(k1, place, secret)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => open(k1, place, changed)).toThrow(/authenticate data|needs key/)
  }
})

test('guarantee: the same value is sealed differently each time, and is nowhere in the result', () => {
  const all = Array.from({ length: 1000 }, () => seal(k1, place, secret))
  const nonces = all.flatMap((sealed) => [sealed.subarray(3, 15), sealed.subarray(63, 75)].map((nonce) => nonce.toString('hex')))
  expect(new Set(nonces).size).toBe(2000)
  expect(all.some((sealed) => sealed.includes(secret))).toBe(false)
})

test('guarantee: after a new key is added in front, old values open, new ones need only the new key', () => {
  const before = seal(k1, place, secret)
  const after = seal(k2k1, place, secret)
  expect([open(k2k1, place, before), open(k2k1, place, after), open(k2, place, after)]).toEqual([secret, secret, secret])
  expect(() => open(k2, place, before)).toThrow('needs key "k1"')
  expect(() => open(k1, place, after)).toThrow('needs key "k2"')
  const wrong = parseSecretKeys(key('k1', 9))
  expect(() => open(wrong, place, before)).toThrow('unable to authenticate data')
})
