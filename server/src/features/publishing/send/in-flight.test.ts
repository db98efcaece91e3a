import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { Context } from '../../../context.ts'
import { createResources } from '../../../infra/resources/create-resources.ts'
import { trackSend, waitForQuiet, waitForSends } from './in-flight.ts'

const ref = { workspaceId: 'w1', channelId: 'c1', generation: 1, epoch: 1 }
const createTestContext = () => ({ resources: createResources<Context>() }) as Context

test('guarantee: waiting for sends ends only after the answer is stored', async () => {
  const ctx = createTestContext()
  const done: string[] = []
  const send = trackSend(
    ctx,
    ref,
    sleep(100).then(() => done.push('answered')),
  )
  void trackSend(
    ctx,
    ref,
    send.then(() => sleep(100)).then(() => void done.push('stored')),
  )
  expect(await waitForSends(ctx, 5000)).toBe(true)
  expect(done).toEqual(['answered', 'stored'])
})

test('waiting for sends ends at its limit and says that some were left', async () => {
  const ctx = createTestContext()
  void trackSend(ctx, ref, new Promise(() => {}))
  expect(await waitForSends(ctx, 50)).toBe(false)
})

test('without sends there is nothing to wait for', async () => {
  expect(await waitForSends(createTestContext(), 5000)).toBe(true)
})

/** Guarantee: events lag behind a burst that does not end by a bounded time, and in the usual burst posts come first. */
test('what is less urgent waits in a burst, but not in one that has lasted for 15 seconds', async () => {
  const ctx = createTestContext()
  let nowMs = 1_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  try {
    const sendMore = () => {
      for (let n = 0; n < 200; n++) void trackSend(ctx, { ...ref, channelId: `c${n}` }, new Promise(() => {}))
    }
    const isQuiet = () => Promise.race([waitForQuiet(ctx).then(() => true), sleep(200, false)])
    expect(await isQuiet()).toBe(true)
    for (const endMs = nowMs + 14_000; nowMs < endMs; nowMs += 400) sendMore()
    expect(await isQuiet()).toBe(false)
    for (const endMs = nowMs + 2_000; nowMs < endMs; nowMs += 400) sendMore()
    expect(await isQuiet()).toBe(true)
    // The next burst is another one.
    nowMs += 1_000
    sendMore()
    expect(await isQuiet()).toBe(false)
  } finally {
    clock.mockRestore()
  }
})
