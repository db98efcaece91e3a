import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Context } from '../../../context.ts'
import { createResources } from '../../../infra/resources/create-resources.ts'
import { trackSend, waitForSends } from './in-flight.ts'

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
