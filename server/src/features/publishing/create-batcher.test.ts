import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { createBatcher } from './create-batcher.ts'

const ctx = {} as Context

function counting(fails: (items: readonly number[]) => boolean = () => false) {
  const groups: number[][] = []
  const together = createBatcher<number, number[]>({
    max: 4,
    keyOf: String,
    async work(_ctx, items) {
      groups.push([...items])
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (fails(items)) throw new Error('bad apple')
      return items.map((item) => item * 2)
    },
    share: (result, items) => result.filter((double) => items.includes(double / 2)),
  })
  return { groups, together }
}

test('who comes while one is under way shares the next, each with its own part of the result', async () => {
  const { groups, together } = counting()
  const all = await Promise.all([[1], [2, 3], [4], [5, 6]].map((items) => together(ctx, items)))
  expect(all).toEqual([[2], [4, 6], [8], [10, 12]])
  expect(groups).toEqual([[1], [2, 3, 4], [5, 6]])
})

test('two about the same never share: the second finds what the first has done', async () => {
  const { groups, together } = counting()
  await Promise.all([[1], [2, 3], [3], [4]].map((items) => together(ctx, items)))
  expect(groups).toEqual([[1], [2, 3], [3, 4]])
})

test('more than fits is still taken when it comes alone', async () => {
  const { groups, together } = counting()
  expect(await together(ctx, [1, 2, 3, 4, 5])).toHaveLength(5)
  expect(groups).toHaveLength(1)
})

test('one that fails does not spoil it for the others', async () => {
  const { together } = counting((items) => items.includes(3))
  const all = await Promise.allSettled([[1], [2], [3], [4]].map((items) => together(ctx, items)))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})
