import { expect, test } from 'vitest'
import { toToml } from './toml.ts'

/** Guarantee: a plain value written after a table in the source never lands inside that table. */
test('plain values come before tables', () => {
  const text = toToml({ a: 1, inner: { b: 'x', deep: { c: true } }, list: ['p', 'q'] })
  expect(text).toBe('a = 1\nlist = ["p","q"]\n\n[inner]\nb = "x"\n\n[inner.deep]\nc = true')
})
