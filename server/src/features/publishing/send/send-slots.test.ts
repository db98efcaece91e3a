import { expect, test } from 'vitest'
import { createSendSlots } from './send-slots.ts'

/** Guarantee: a platform gets no more calls at once than there are sockets, and a slow platform delays only itself. */
test('calls beyond the limit wait until slots are freed, in order', async () => {
  const take = createSendSlots().value
  const first = await take('slow', 'a', 200)
  const order: string[] = []
  const second = take('slow', 'a', 100).then((release) => {
    order.push('second')
    return release
  })
  const third = take('slow', 'a', 50).then((release) => {
    order.push('third')
    return release
  })
  const other = await take('other', 'a', 250)
  expect(order).toEqual([])
  first()
  const releases = [await second, await third]
  expect(order).toEqual(['second', 'third'])
  for (const release of [...releases, other]) release()
})

test('a batch larger than all slots is let through alone', async () => {
  const take = createSendSlots().value
  const release = await take('big', 'a', 1000)
  let isTaken = false
  const next = take('big', 'a', 250).then(() => (isTaken = true))
  expect(isTaken).toBe(false)
  release()
  // Freeing slots twice frees them once.
  release()
  expect(await next).toBe(true)
})

/** Guarantee: slots are shared fairly. A workspace with a crowd of batches delays the batch of another one by one batch, not by all. */
test('workspaces take turns', async () => {
  const take = createSendSlots().value
  const first = await take('slow', 'crowd', 250)
  const order: string[] = []
  const waiting = ['crowd', 'crowd', 'crowd', 'small'].map(async (owner) => {
    const release = await take('slow', owner, 250)
    order.push(owner)
    release()
  })
  first()
  await Promise.all(waiting)
  expect(order).toEqual(['crowd', 'small', 'crowd', 'crowd'])
})
