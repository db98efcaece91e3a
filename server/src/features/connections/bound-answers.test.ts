import { expect, test } from 'vitest'
import { boundAccount, webAddressOf } from './bound-answers.ts'

test.for([
  ['https://social.example/@bell/1', 'https://social.example/@bell/1'],
  ['http://127.0.0.1:3000/@bell/1', 'http://127.0.0.1:3000/@bell/1'],
  ['javascript:alert(1)', null],
  ['JaVaScRiPt:alert(1)', null],
  ['data:text/html,<script>alert(1)</script>', null],
  ['/relative', null],
  ['', null],
  [`https://social.example/${'a'.repeat(2_000)}`, null],
  [null, null],
] as const)('guarantee: only a web address of a usual length is shown as a link: %.40s', ([address, shown]) => {
  expect(webAddressOf(address)).toBe(shown)
})

test('names of an account are cut, and an id that is too long is refused', () => {
  const account = { id: '1', handle: 'b'.repeat(900_000), displayName: '🔔'.repeat(900_000), avatarUrl: 'javascript:alert(1)' }
  const bounded = boundAccount(account)
  expect([bounded.handle.length, bounded.displayName.length, bounded.avatarUrl]).toEqual([255, 254, null])
  expect(bounded.displayName.isWellFormed()).toBe(true)
  expect(() => boundAccount({ ...account, id: '1'.repeat(501) })).toThrow('too long')
})
