import { expect, test } from 'vitest'
import { createSendSlots } from './send-slots.ts'

/** Guarantee: a platform gets no more calls at once than there are sockets, and a slow platform delays only itself. */
test('calls beyond the limit wait until slots are freed, in order', async () => {
  const take = createSendSlots().value
  const first = await take('slow', 200)
  const order: string[] = []
  const second = take('slow', 100).then((release) => {
    order.push('second')
    return release
  })
  const third = take('slow', 50).then((release) => {
    order.push('third')
    return release
  })
  const other = await take('other', 250)
  expect(order).toEqual([])
  first()
  const releases = [await second, await third]
  expect(order).toEqual(['second', 'third'])
  for (const release of [...releases, other]) release()
})

test('a batch larger than all slots is let through alone', async () => {
  const take = createSendSlots().value
  const release = await take('big', 1000)
  let isTaken = false
  const next = take('big', 250).then(() => (isTaken = true))
  expect(isTaken).toBe(false)
  release()
  // Freeing slots twice frees them once.
  release()
  expect(await next).toBe(true)
})
