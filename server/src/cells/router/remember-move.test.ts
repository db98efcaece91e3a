import { expect, test } from 'vitest'
import { rememberMove, type Router } from './router.ts'

/** Guarantee: what a router remembers is bounded. The oldest is forgotten, and learned again from a cell. */
test('the hundred-thousand-and-first workspace replaces the first', () => {
  const router = { moved: new Map<string, number>() } satisfies Pick<Router, 'moved'>
  for (let count = 0; count <= 100_000; count++) rememberMove(router, `w${count}`, 2)
  expect([router.moved.size, router.moved.has('w0'), router.moved.get('w1'), router.moved.get('w100000')]).toEqual([
    100_000,
    false,
    2,
    2,
  ])
})
