import type { Queue } from '@carillon/sdk'
import { afterAll, beforeAll, expect } from 'vitest'
import { row } from '../../coverage/rows.ts'
import { call } from '../../support/call.ts'
import { createDraft, createScheduled } from '../../support/posts.ts'
import { bluesky, carillon, uniqueText } from '../../test-stack.ts'

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
/** Times that no other test uses, because an account has one post at a time of a queue. */
const slots = weekdays.flatMap((day) => ['04:13', '16:31'].map((time) => ({ day, time })))

let queue: Queue

beforeAll(async () => {
  queue = await carillon.queues.create({ name: uniqueText('Queue'), timezone: 'Europe/Berlin', slots })
})

afterAll(async () => {
  await carillon.queues.remove(queue.id)
})

const enqueue = () => carillon.content.createText({ connections: [bluesky], text: uniqueText('queued'), queue: queue.id })
const nextFree = async (limit: number) =>
  (await carillon.queues.slots(queue.id, { free: 'true', connection: bluesky, limit })).slots.map(({ at }) => at)
const remove = (ids: readonly string[]) => carillon.content.bulkDelete({ ids: [...ids] })

row('D 16 queue', async () => {
  expect(await carillon.queues.get(queue.id)).toEqual(queue)
  expect((await carillon.queues.list()).map(({ id }) => id)).toContain(queue.id)
  const free = await nextFree(20)
  const made = await Promise.all(Array.from({ length: 20 }, () => enqueue()))
  expect(made.map(({ scheduledAt = '' }) => scheduledAt).toSorted()).toEqual(free)
  const post = await carillon.content.get(made[0]?.uploadId ?? '')
  expect(post).toMatchObject({ status: 'scheduled', scheduledAt: made[0]?.scheduledAt, timezone: 'Europe/Berlin' })
  await remove(made.map(({ uploadId }) => uploadId))
  expect(await nextFree(20)).toEqual(free)
})

row('D 16 slots', async () => {
  const { uploadId, scheduledAt = '' } = await enqueue()
  const shown = await carillon.queues.slots(queue.id, { limit: 3 })
  expect(shown.timezone).toBe('Europe/Berlin')
  expect(shown.slots[0]).toMatchObject({ at: scheduledAt, free: false, uploadId })
  expect(shown.slots.slice(1).map(({ free }) => free)).toEqual([true, true])
  expect(shown.slots.every(({ wall }) => /T(04:13|16:31):00$/.test(wall))).toBe(true)
  await remove([uploadId])
})

row('D 16 enqueue', async () => {
  const [first = '', second = ''] = await nextFree(2)
  const draft = await carillon.content.enqueue(await createDraft(), { queue: queue.id })
  expect(draft).toMatchObject({ status: 'scheduled', scheduledAt: first })
  const moved = await carillon.content.enqueue(await createScheduled(), { queue: queue.id })
  expect(moved).toMatchObject({ status: 'scheduled', scheduledAt: second })
  await carillon.content.unschedule(draft.uploadId)
  expect(await nextFree(1)).toEqual([first])
  const empty = await carillon.queues.create({ name: uniqueText('Empty') })
  const refused = await call(`POST /content/${draft.uploadId}/queue`, { body: { queue: empty.id } })
  expect([refused.status, refused.error.code]).toEqual([409, 'queue_full'])
  await carillon.queues.remove(empty.id)
  await remove([draft.uploadId, moved.uploadId])
})

row('D 16 reflow', async () => {
  const times = await nextFree(3)
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.push((await enqueue()).uploadId)
  await remove(ids.slice(0, 1))
  expect((await carillon.queues.reflow(queue.id)).moved).toEqual([
    { uploadId: ids[1], from: times[1], to: times[0] },
    { uploadId: ids[2], from: times[2], to: times[1] },
  ])
  await remove(ids.slice(1))
})
