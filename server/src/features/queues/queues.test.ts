import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { weekdays, type Queue, type QueueSlot, type SlotTime } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PostApi } from '../posts/post-api.fixture.ts'
import { applyTimeZoneRules } from '../posts/schedule/apply-time-zone-rules.ts'
import { queueRoutes } from './queue.routes.ts'

/** Guarantee: a slot of a queue has one post at most, and is free again as soon as its post is gone from it. */

const daily = (...times: string[]): QueueSlot[] => weekdays.flatMap((day) => times.map((time) => ({ day, time })))

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-queues-'))
  api = await PostApi.start(dir, { routes: [queueRoutes] })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function makeQueue(body: object = {}): Promise<Queue> {
  const reply = await api.send<Queue>('POST', '/queues', { name: 'Main', slots: daily('09:00', '17:00'), ...body })
  expect(reply.error).toBeUndefined()
  return reply.data
}

async function slots(query = '', id = 'default'): Promise<SlotTime[]> {
  const { data } = await api.send<{ slots: SlotTime[] }>('GET', `/queues/${id}/slots${query}`)
  return data.slots
}

async function nextFree(count: number): Promise<string[]> {
  return (await slots(`?free=true&limit=${count}`)).map(({ at }) => at)
}

const enqueue = (body: object = {}) => api.create({ queue: 'default', ...body })
const timeOf = async (id: string) => (await api.get(id)).scheduledAt

describe('a queue', () => {
  test('is created, read, changed and removed, with its slots in the order of the week', async () => {
    const made = await makeQueue({
      slots: [
        { day: 'friday', time: '08:00' },
        { day: 'monday', time: '12:30', connections: [api.first] },
      ],
    })
    expect(made).toMatchObject({
      name: 'Main',
      timezone: null,
      slots: [
        { day: 'monday', time: '12:30', connections: [api.first] },
        { day: 'friday', time: '08:00' },
      ],
    })
    const { data: changed } = await api.send<Queue>('PATCH', `/queues/${made.id}`, { name: 'Early', timezone: 'Asia/Tokyo' })
    expect(changed).toMatchObject({ name: 'Early', timezone: 'Asia/Tokyo', slots: made.slots })
    expect((await api.send<Queue[]>('GET', '/queues')).data).toEqual([changed])
    expect((await api.send<Queue>('GET', '/queues/default')).data).toEqual(changed)
    expect((await api.send('DELETE', `/queues/${made.id}`)).status).toBe(200)
    expect((await api.send('GET', `/queues/${made.id}`)).error?.code).toBe('queue_not_found')
    expect((await api.send('DELETE', `/queues/${made.id}`)).error?.code).toBe('queue_not_found')
  })

  test.each([
    [{ slots: [{ day: 'monday', time: '24:00' }] }, 'request_invalid'],
    [{ slots: [{ day: 'someday', time: '09:00' }] }, 'request_invalid'],
    [{ slots: [...daily('09:00'), { day: 'monday', time: '09:00', connections: ['x'] }] }, 'request_invalid'],
    [{ slots: [{ day: 'monday', time: '09:00', connections: ['no-such-account'] }] }, 'connection_unknown'],
    [{ timezone: 'Mars/Olympus' }, 'request_invalid'],
  ])('refuses %j with %s', async (body, code) => {
    expect((await api.send('POST', '/queues', { name: 'Main', ...body })).error?.code).toBe(code)
  })

  test('is one of 20 at most', async () => {
    for (let count = 0; count < 20; count++) await makeQueue()
    expect((await api.send('POST', '/queues', { name: 'One more' })).error?.code).toBe('quota_reached')
  })

  test('has the zone of the workspace unless it has its own', async () => {
    await api.ctx.db.system.updateTable('workspace').where('id', '=', api.workspaceId).set({ timezone: 'Asia/Tokyo' }).execute()
    const queue = await makeQueue({ slots: daily('09:00') })
    expect((await nextFree(1))[0]).toMatch(/T00:00:00.000Z$/)
    await api.send('PATCH', `/queues/${queue.id}`, { timezone: 'UTC' })
    expect((await nextFree(1))[0]).toMatch(/T09:00:00.000Z$/)
  })
})

describe('the next free slot', () => {
  test('is given to a new post, and the one after it to the next', async () => {
    await makeQueue()
    const [first, second, third] = await nextFree(3)
    const reply = await api.send<{ uploadId: string; scheduledAt: string }>('POST', '/content/text', {
      connections: [api.first],
      text: 'The bells ring at nine.',
      queue: 'default',
    })
    expect(reply.data.scheduledAt).toBe(first)
    expect(await api.get(reply.data.uploadId)).toMatchObject({ status: 'scheduled', scheduledAt: first, timezone: 'UTC' })
    expect((await api.channels(reply.data.uploadId)).map(({ due_at }) => due_at?.toISOString())).toEqual([first])
    expect(await timeOf(await enqueue())).toBe(second)
    expect(await nextFree(1)).toEqual([third])
    expect((await slots('?limit=3')).map(({ free, uploadId }) => [free, uploadId !== null])).toEqual([
      [false, true],
      [false, true],
      [true, false],
    ])
  })

  test('guarantee: 50 posts at the same time get 50 different slots, the first 50', async () => {
    await makeQueue()
    const free = await nextFree(50)
    const ids = await Promise.all(Array.from({ length: 50 }, () => enqueue()))
    const times = await Promise.all(ids.map(timeOf))
    expect(times.toSorted()).toEqual(free)
  })

  test('is for the accounts of the post: a slot for others is left out, and so is a time at which one of them has a post', async () => {
    await makeQueue({
      slots: daily('09:00')
        .map((slot) => ({ ...slot, connections: [api.first] }))
        .concat(daily('17:00').map((slot) => ({ ...slot, connections: [api.first, api.second] }))),
    })
    const [first] = await nextFree(1)
    const evening = (await slots('?limit=10')).find(({ at }) => at.includes('T17:00'))?.at
    expect(await timeOf(await enqueue({ connections: [api.first, api.second] }))).toBe(evening)
    const other = (await slots(`?free=true&connection=${api.first}&limit=1`))[0]?.at
    await api.create({ scheduledAt: other })
    expect((await slots(`?free=true&connection=${api.first}&limit=1`))[0]?.at).not.toBe(other)
    expect(await timeOf(await enqueue())).not.toBe(other)
    expect(first).toBeDefined()
  })

  test('is not kept from an account by a post whose channel on it was canceled', async () => {
    await makeQueue()
    const [free] = await nextFree(1)
    const other = await api.create({ connections: [api.first, api.second], scheduledAt: free })
    const isFreeFor = async (slug: string) => (await slots(`?free=true&connection=${slug}&limit=1`))[0]?.at === free
    expect([await isFreeFor(api.first), await isFreeFor(api.second)]).toEqual([false, false])
    await api.setChannel(other, { state: 'canceled' })
    expect([await isFreeFor(api.first), await isFreeFor(api.second)]).toEqual([true, false])
    expect(await timeOf(await enqueue())).toBe(free)
  })

  test('does not exist when every slot of 90 days has a post, or when there are no slots', async () => {
    const queue = await makeQueue({ slots: [{ day: 'monday', time: '09:00' }] })
    const count = (await slots('?limit=200')).length
    expect(count).toBeGreaterThanOrEqual(12)
    for (let n = 0; n < count; n++) await enqueue()
    const body = { connections: [api.first], text: 'One more.', queue: queue.id }
    expect((await api.send('POST', '/content/text', body)).error?.code).toBe('queue_full')
    await api.send('PATCH', `/queues/${queue.id}`, { slots: [] })
    expect((await api.send('POST', '/content/text', body)).error?.code).toBe('queue_full')
  })

  test('is not for a draft, and not beside a time of the client’s own', async () => {
    await makeQueue()
    const body = { connections: [api.first], text: 'The bells ring.', queue: 'default' }
    const refusals = await Promise.all(
      [
        { saveDraft: true },
        { scheduledAt: '2030-01-01T00:00:00Z' },
        { timezone: 'UTC' },
        { queue: 'ffffffffffffffffffffffff' },
      ].map((more) => api.send('POST', '/content/text', { ...body, ...more })),
    )
    expect(refusals.map(({ error }) => error?.code)).toEqual([
      'request_invalid',
      'request_invalid',
      'request_invalid',
      'queue_not_found',
    ])
  })

  test('stays free if the post is refused', async () => {
    await makeQueue()
    const before = await nextFree(1)
    const reply = await api.send('POST', '/content/text', {
      connections: [api.first],
      text: 'a'.repeat(20_000),
      queue: 'default',
    })
    expect(reply.error?.code).toBe('post_invalid')
    expect(await nextFree(1)).toEqual(before)
  })
})

describe('POST /content/:id/queue', () => {
  test('schedules a draft, and moves a scheduled post', async () => {
    await makeQueue()
    const [first, second] = await nextFree(2)
    const draft = await api.create({ saveDraft: true })
    const { data } = await api.send('POST', `/content/${draft}/queue`)
    expect(data).toMatchObject({ status: 'scheduled', scheduledAt: first })
    const later = await api.create({ scheduledAt: '2030-01-01T00:00:00Z' })
    expect((await api.send('POST', `/content/${later}/queue`, { queue: 'default' })).data.scheduledAt).toBe(second)
  })

  test('leaves a post that is in the next free slot where it is', async () => {
    await makeQueue()
    const [first] = await nextFree(1)
    const id = await enqueue()
    expect((await api.send('POST', `/content/${id}/queue`)).data.scheduledAt).toBe(first)
    expect((await slots('?limit=1'))[0]).toMatchObject({ at: first, uploadId: id })
  })

  test('refuses a post that is being sent or was sent', async () => {
    await makeQueue()
    const id = await enqueue()
    await api.setChannel(id, { state: 'submitting' })
    expect((await api.send('POST', `/content/${id}/queue`)).error?.code).toBe('already_publishing')
    const sent = await api.create()
    expect((await api.send('POST', `/content/${sent}/queue`)).error?.code).toBe('not_scheduled')
  })
})

describe('guarantee: a slot is free again', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['unscheduled', (id) => api.send('POST', `/content/${id}/unschedule`)],
    ['deleted', (id) => api.send('DELETE', `/content/${id}`)],
    ['moved', (id) => api.send('POST', `/content/${id}/reschedule`, { scheduledAt: '2030-01-01T09:00:00Z' })],
    [
      'moved by an edit',
      (id) => api.send('PATCH', `/content/${id}`, { scheduledAt: '2030-01-01T09:00:00Z', keepSchedule: true }),
    ],
    ['published now', (id) => api.send('POST', `/content/${id}/publish-now`)],
    ['ended before its time', (id) => api.setPost(id, { status: 'failed' })],
  ])('when its post is %s', async (_name, leave) => {
    await makeQueue()
    const [first] = await nextFree(1)
    const id = await enqueue()
    expect(await nextFree(1)).not.toEqual([first])
    await leave(id)
    expect(await nextFree(1)).toEqual([first])
    expect(await timeOf(await enqueue())).toBe(first)
  })

  test('and not when its post is changed and stays', async () => {
    await makeQueue()
    const id = await enqueue()
    await api.send('PATCH', `/content/${id}`, { text: 'The bells ring at ten.', keepSchedule: true })
    expect((await slots('?limit=1'))[0]?.uploadId).toBe(id)
  })
})

describe('changes of the queue', () => {
  test('leave its posts alone, and new rules of a time zone move them with their slots', async () => {
    const queue = await makeQueue({ timezone: 'Europe/Berlin', slots: daily('09:00') })
    const id = await enqueue()
    const at = await timeOf(id)
    await api.send('PATCH', `/queues/${queue.id}`, { slots: daily('09:00', '11:00') })
    expect(await timeOf(id)).toBe(at)
    // As if it had been placed with rules that had the clock an hour earlier.
    const old = new Date(Date.parse(at ?? '') + 3_600_000)
    await api.setPost(id, { scheduled_at: old })
    await applyTimeZoneRules(api.ctx, `9999${api.workspaceId}`)
    expect((await slots('?limit=200')).find(({ uploadId }) => uploadId === id)?.at).toBe(at)
    await api.send('DELETE', `/queues/${queue.id}`)
    expect(await api.get(id)).toMatchObject({ status: 'scheduled', scheduledAt: at })
  })

  test('to another zone do not put two posts into one slot', async () => {
    const queue = await makeQueue({ timezone: 'Europe/Berlin', slots: daily('09:00') })
    const first = await enqueue()
    await api.send('PATCH', `/queues/${queue.id}`, { timezone: 'Europe/Paris' })
    expect(await timeOf(await enqueue({ connections: [api.second] }))).not.toBe(await timeOf(first))
  })
})

describe('a reflow', () => {
  test('moves posts forward into earlier free slots, in their order, and no other posts', async () => {
    const queue = await makeQueue()
    const times = await nextFree(5)
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push(await enqueue())
    const byHand = await api.create({ scheduledAt: '2030-01-01T09:00:00Z' })
    await api.send('DELETE', `/content/${ids[0]}`)
    await api.send('POST', `/content/${ids[2]}/unschedule`)
    const { data } = await api.send<{ moved: { uploadId: string; from: string; to: string }[] }>(
      'POST',
      `/queues/${queue.id}/reflow`,
    )
    expect(data.moved).toEqual([
      { uploadId: ids[1], from: times[1], to: times[0] },
      { uploadId: ids[3], from: times[3], to: times[1] },
      { uploadId: ids[4], from: times[4], to: times[2] },
    ])
    expect((await slots('?limit=4')).map(({ uploadId }) => uploadId)).toEqual([ids[1], ids[3], ids[4], null])
    expect((await api.channels(ids[4] ?? '')).map(({ due_at }) => due_at?.toISOString())).toEqual([times[2]])
    expect(await timeOf(byHand)).toBe('2030-01-01T09:00:00.000Z')
    expect((await api.send<typeof data>('POST', `/queues/${queue.id}/reflow`)).data.moved).toEqual([])
  })

  test('leaves a post that is being sent where it is', async () => {
    const queue = await makeQueue()
    const [first, second] = [await enqueue(), await enqueue()]
    await api.send('DELETE', `/content/${first}`)
    await api.setChannel(second, { state: 'submitting' })
    const { data } = await api.send<{ moved: unknown[] }>('POST', `/queues/${queue.id}/reflow`)
    expect(data.moved).toEqual([])
  })

  test('beside posts that arrive keeps one post in a slot', async () => {
    const queue = await makeQueue()
    const ids = await Promise.all(Array.from({ length: 10 }, () => enqueue()))
    await Promise.all(ids.slice(0, 5).map((id) => api.send('DELETE', `/content/${id}`)))
    const [reflow, ...more] = await Promise.all([
      api.send('POST', `/queues/${queue.id}/reflow`),
      ...Array.from({ length: 10 }, () => enqueue()),
    ])
    expect(reflow.status).toBe(200)
    const times = await Promise.all([...ids.slice(5), ...more].map(timeOf))
    expect(new Set(times).size).toBe(15)
  })
})

test('guarantee: a queue of another workspace is not found', async () => {
  const { id } = await makeQueue()
  await api.openWorkspace()
  const replies = await Promise.all([
    api.send('GET', `/queues/${id}`),
    api.send('GET', `/queues/${id}/slots`),
    api.send('PATCH', `/queues/${id}`, { name: 'Mine' }),
    api.send('DELETE', `/queues/${id}`),
    api.send('POST', `/queues/${id}/reflow`),
    api.send('POST', '/content/text', { connections: [api.first], text: 'a', queue: id }),
  ])
  expect(replies.map(({ error }) => error?.code)).toEqual(Array.from({ length: 6 }, () => 'queue_not_found'))
})
