import { expect, test } from 'vitest'
import { createResources } from './create-resources.ts'

test('guarantee: a resource is created once per context and closed with it, in reverse order', async () => {
  const closed: string[] = []
  const first = () => ({ value: { name: 'first' }, close: async () => void closed.push('first') })
  const second = () => ({ value: { name: 'second' }, close: async () => void closed.push('second') })
  const [one, other] = [createResources<null>(), createResources<null>()]
  expect(one.get(first, null)).toBe(one.get(first, null))
  expect(one.get(first, null)).not.toBe(other.get(first, null))
  one.get(second, null)
  await one.close()
  expect(closed).toEqual(['second', 'first'])
})
