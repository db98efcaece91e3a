import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '../../infra/db/ids.ts'
import { PostApi } from './post-api.fixture.ts'
import { addComment } from '../publishing/add-comment.fixture.ts'

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
const nextWeek = new Date(Date.now() + 7 * 86_400_000).toISOString()
const error = JSON.stringify({
  code: 'content_rejected',
  message: 'No.',
  action: 'fix_request',
  retryable: false,
  platformCode: null,
})
const published = { state: 'published', platform_post_id: '77', published_at: new Date(), finished_at: new Date() } as const
const failed = { state: 'failed', finished_at: new Date(), error } as const

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-posts-'))
  api = await PostApi.start(dir)
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

test('guarantee: a post that is read by its id names who created it', async () => {
  const id = await api.create({ scheduledAt: tomorrow })
  await api.send('POST', `/content/${id}/unschedule`)
  const { createdBy } = await api.get(id)
  expect(createdBy).toEqual({ userId: api.personId, name: expect.any(String), apiKeyId: expect.any(String) })
})

/** Guarantee: a channel that is due and has not been sent shows what it waits for. */
describe('result.waiting', () => {
  const until = new Date(Date.now() + 3_600_000)

  test.each([
    ['rate_limit', until.toISOString()],
    ['platform_unavailable', until.toISOString()],
    ['reconnect', null],
  ] as const)('has the reason %s', async (reason, shownUntil) => {
    const id = await api.create()
    await api.setChannel(id, { waiting_reason: reason, dispatch_at: until })
    for (const state of ['scheduled', 'dispatched'] as const) {
      await api.setChannel(id, { state })
      const { result } = (await api.get(id)).channels[0] ?? {}
      expect(result).toMatchObject({ status: 'pending', waiting: { reason, until: shownUntil } })
    }
  })

  test('is null without a reason and after the wait', async () => {
    const id = await api.create()
    expect((await api.get(id)).channels[0]?.result.waiting).toBeNull()
    await api.setChannel(id, { ...published, waiting_reason: 'rate_limit' })
    expect((await api.get(id)).channels[0]?.result.waiting).toBeNull()
  })

  test('is removed when the person moves the post', async () => {
    const id = await api.create({ scheduledAt: tomorrow })
    const wait = { waiting_reason: 'rate_limit', not_before: until, late_ms: 90_000 } as const
    for (const [path, body] of [
      ['reschedule', { scheduledAt: nextWeek }],
      ['publish-now', undefined],
    ] as const) {
      await api.setPost(id, { status: 'scheduled' })
      await api.setChannel(id, wait)
      const { data } = await api.send('POST', `/content/${id}/${path}`, body)
      expect(data.channels[0]?.result).toMatchObject({ waiting: null, late: null })
      expect((await api.channels(id))[0]).toMatchObject({ not_before: null, waiting_reason: null, late_ms: null })
    }
    await api.setPost(id, { status: 'failed' })
    await api.setChannel(id, { ...failed, ...wait })
    await api.send('POST', `/content/${id}/retry`)
    expect((await api.channels(id))[0]).toMatchObject({
      not_before: null,
      waiting_reason: null,
      late_ms: null,
      finished_at: null,
    })
  })
})

test.each([
  ['scheduled', 'waiting'],
  ['submitting', 'waiting'],
  ['published', 'posted'],
  ['failed', 'failed'],
  ['unconfirmed', 'failed'],
] as const)(
  'guarantee: a first comment that is %s is shown as %s, and a channel without one says nothing',
  async (state, shown) => {
    const id = await api.create({ connections: [api.first, api.second], firstComment: 'All are welcome' })
    expect((await api.get(id)).channels[0]?.result.comment).toBe('waiting')
    await api.setChannel(id, published)
    await addComment(api.ctx.db.system, { postId: id, slug: api.first, state })
    await api.setChannel(id, { ...published, parts: 1 }, api.second)
    const { channels } = await api.get(id)
    expect(channels.map(({ result }) => result.comment)).toEqual([shown, undefined])
  },
)

/** Guarantee: a file is not deleted while a post may still be sent with it. */
describe('the files of a post', () => {
  test.each([
    ['scheduled', 'scheduled'],
    ['queued', 'dispatched'],
    ['publishing', 'submitting'],
    ['failed', 'failed'],
    ['failed', 'unconfirmed'],
    ['partial_failure', 'failed'],
    ['partial_failure', 'unconfirmed'],
  ] as const)('are kept for a %s post with a channel that is %s', async (status, state) => {
    const media = await api.uploadPhoto()
    const id = await api.create({ medias: [media], connections: [api.first, api.second] })
    await api.setPost(id, { status })
    await api.setChannel(id, published)
    await api.setChannel(id, { state }, api.second)
    expect((await api.send('DELETE', `/media/${media}`)).error?.code).toBe('media_in_use')
    const bulk = await api.send<{ failed: { code: string }[] }>('POST', '/media/bulk-delete', { ids: [media] })
    expect(bulk.data.failed).toMatchObject([{ code: 'media_in_use' }])
    expect((await api.send('DELETE', `/media/${media}?force=true`)).status).toBe(200)
  })

  test('can be deleted when every channel is published or canceled', async () => {
    const media = await api.uploadPhoto()
    const id = await api.create({ medias: [media], connections: [api.first, api.second] })
    await api.setPost(id, { status: 'partial_failure' })
    await api.setChannel(id, published)
    await api.setChannel(id, { state: 'canceled' }, api.second)
    expect((await api.send('DELETE', `/media/${media}`)).status).toBe(200)
  })

  test('are counted for each channel when the post is created, edited and published', async () => {
    const [one, two, own] = [await api.uploadPhoto(), await api.uploadPhoto(), await api.uploadPhoto()]
    const connections = [api.first, api.second]
    const id = await api.create({
      connections,
      medias: [one, two],
      platformOptions: { [api.second]: { medias: [own] } },
      saveDraft: true,
    })
    const counts = async () => (await api.channels(id)).map((channel) => channel.media_count)
    expect(await counts()).toEqual([2, 1])
    await api.send('PATCH', `/content/${id}`, { medias: [one] })
    expect(await counts()).toEqual([1, 1])
    await api.setChannel(id, { media_count: null })
    expect((await api.send('POST', `/content/${id}/publish`)).status).toBe(200)
    expect(await counts()).toEqual([1, 1])
    expect((await api.channels(await api.create()))[0]?.media_count).toBe(0)
  })

  test('that are still to be fetched are counted', async () => {
    const medias = ['https://files.example/a.png', 'https://files.example/b.png']
    const id = await api.create({ medias, async: true, saveDraft: true })
    expect((await api.channels(id))[0]?.media_count).toBe(2)
  })

  test('of one connection are not replaced by the common ones when they were deleted', async () => {
    const [common, own] = [await api.uploadPhoto(), await api.uploadPhoto()]
    const platformOptions = { [api.first]: { medias: [own] } }
    const id = await api.create({ medias: [common], platformOptions, saveDraft: true })
    await api.send('DELETE', `/media/${own}?force=true`)
    expect((await api.send('POST', `/content/${id}/publish`)).error?.code).toBe('post_invalid')
  })

  test('that are still to be fetched are kept when only the options of a connection change', async () => {
    const own = await api.uploadPhoto()
    const id = await api.create({ medias: ['https://files.example/a.png'], async: true, saveDraft: true })
    await api.send('PATCH', `/content/${id}`, { platformOptions: { [api.first]: { medias: [own] } } })
    const post = await api.ctx.db.system.selectFrom('post').where('id', '=', id).select('pending_medias').executeTakeFirst()
    expect(post?.pending_medias?.map(({ connection, entry }) => [connection, entry])).toEqual([
      ['', 'https://files.example/a.png'],
      [api.first, own],
    ])
  })
})

/** Guarantee: a first comment that failed can be sent again, and none waits for something that cannot happen. */
describe('first comments', () => {
  const warning = 'The first comment was not posted: the platform is busy.'

  async function createPublished(state: 'failed' | 'unconfirmed' | null, warnings = [warning]): Promise<string> {
    const id = await api.create({ firstComment: 'First!', connections: [api.first, api.second] })
    await api.setPost(id, { status: 'completed' })
    await api.setChannel(id, { ...published, warnings: JSON.stringify(['Other.', ...warnings]) })
    await api.setChannel(id, published, api.second)
    const { system } = api.ctx.db
    if (state) await addComment(system, { postId: id, slug: api.first, state })
    await addComment(system, { postId: id, slug: api.second, state: 'published' })
    return id
  }

  const comments = (postId: string) =>
    api.ctx.db.system
      .selectFrom('part')
      .where('post_id', '=', postId)
      .where('number', '=', 1)
      .orderBy('position')
      .selectAll()
      .execute()

  test('that failed are retried, and the post stays as it is', async () => {
    const id = await createPublished('failed')
    const { status, data } = await api.send('POST', `/content/${id}/retry`)
    expect([status, data.status]).toEqual([200, 'completed'])
    expect(data.channels.map(({ result }) => [result.status, result.warnings])).toEqual([
      ['success', ['Other.']],
      ['success', []],
    ])
    expect((await api.channels(id)).map(({ state }) => state)).toEqual(['published', 'published'])
    expect(await comments(id)).toMatchObject([
      { state: 'scheduled', tries: 0, wake_at: expect.any(Date) },
      { state: 'published' },
    ])
    expect((await api.send('POST', `/content/${id}/retry`)).error?.code).toBe('nothing_to_retry')
  })

  test('are retried together with failed channels', async () => {
    const id = await createPublished('failed')
    await api.setChannel(id, failed, api.second)
    const { data } = await api.send('POST', `/content/${id}/retry`)
    expect(data.status).toBe('publishing')
    expect((await api.channels(id)).map(({ state }) => state)).toEqual(['published', 'scheduled'])
    expect((await comments(id)).map(({ state }) => state)).toEqual(['scheduled', 'published'])
  })

  test('are not retried if they may have been posted, or if the post is not known there', async () => {
    const lost = await createPublished('unconfirmed', ['The first comment may not have been posted: its answer was lost.'])
    expect((await api.send('POST', `/content/${lost}/retry`)).error?.code).toBe('nothing_to_retry')
    const unknown = await createPublished(null)
    await api.setChannel(unknown, { platform_post_id: null })
    expect((await api.send('POST', `/content/${unknown}/retry`)).error?.code).toBe('nothing_to_retry')
  })

  test('end with a warning if the channel is resolved as published without an id on the platform', async () => {
    const id = await createPublished(null, [])
    await api.setPost(id, { status: 'partial_failure' })
    await api.setChannel(id, { state: 'unconfirmed', platform_post_id: null, published_at: null, late_ms: 70_000 })
    const [channel] = await api.channels(id)
    const { data } = await api.send('POST', `/content/${id}/channels/${channel?.id}/resolve`, { outcome: 'published' })
    expect(data).toMatchObject({
      status: 'completed',
      channels: [{ result: { status: 'success', late: { delayMs: 70_000 } } }, {}],
    })
    expect(data.channels[0]?.result.warnings).toEqual(['Other.', expect.stringContaining('first comment was not posted')])
    expect(data.channels[0]?.result.comment).toBe('failed')
  })

  test('wait for the retry if the channel is resolved as not published', async () => {
    const id = await createPublished(null, [])
    await api.setChannel(id, { state: 'unconfirmed', platform_post_id: null, published_at: null })
    const [channel] = await api.channels(id)
    await api.send('POST', `/content/${id}/channels/${channel?.id}/resolve`, { outcome: 'not_published' })
    expect((await api.get(id)).channels[0]?.result).toMatchObject({ status: 'failed', comment: 'waiting' })
  })
})

/** Guarantee: many posts are changed by one request, and each that cannot be is named. */
/** Guarantee: a retry sends to the accounts that it names and to no other. */
describe('a retry of single channels', () => {
  async function createFailed(): Promise<{ id: string; ids: string[] }> {
    const id = await api.create({ connections: [api.first, api.second] })
    await api.setPost(id, { status: 'failed' })
    for (const slug of [api.first, api.second]) await api.setChannel(id, failed, slug)
    return { id, ids: (await api.channels(id)).map((channel) => channel.id) }
  }
  const states = async (id: string) => (await api.channels(id)).map(({ state }) => state)

  test('leaves the other failed channel as it is', async () => {
    const { id, ids } = await createFailed()
    const { status } = await api.send('POST', `/content/${id}/retry`, { channels: ids.slice(1) })
    expect([status, await states(id)]).toEqual([200, ['failed', 'scheduled']])
  })

  test('without a body, or with an empty one, sends to all that failed', async () => {
    for (const body of [undefined, {}]) {
      const { id } = await createFailed()
      expect((await api.send('POST', `/content/${id}/retry`, body)).status).toBe(200)
      expect(await states(id)).toEqual(['scheduled', 'scheduled'])
    }
  })

  test('is refused for a channel of another post, for one that did not fail, and for none', async () => {
    const [{ id, ids }, other] = [await createFailed(), await createFailed()]
    const retry = (channels: string[]) => api.send('POST', `/content/${id}/retry`, { channels })
    expect(await retry([...ids, ...other.ids])).toMatchObject({ status: 404, error: { code: 'channel_not_found' } })
    expect(await states(id)).toEqual(['failed', 'failed'])
    await api.setChannel(id, { state: 'unconfirmed' })
    expect(await retry(ids.slice(0, 1))).toMatchObject({ status: 409, error: { code: 'nothing_to_retry' } })
    expect((await retry([])).status).toBe(422)
    expect(await states(id)).toEqual(['unconfirmed', 'failed'])
  })
})

describe('bulk', () => {
  type Result = { requested: number; succeeded: number; failed: { id: string; code: string }[] }

  test('retries many', async () => {
    const ids = [await api.create(), await api.create(), await api.create()]
    for (const id of ids.slice(0, 2)) {
      await api.setPost(id, { status: 'failed' })
      await api.setChannel(id, failed)
    }
    const missing = newId(0)
    const { status, data } = await api.send<Result>('POST', '/content/bulk-retry', { ids: [...ids, missing] })
    expect(status).toBe(200)
    expect(data).toMatchObject({ requested: 4, succeeded: 2 })
    expect(data.failed.map(({ id, code }) => [id, code]).toSorted()).toEqual(
      [
        [missing, 'post_not_found'],
        [ids[2], 'nothing_to_retry'],
      ].toSorted(),
    )
    expect((await api.get(ids[0] ?? '')).status).toBe('publishing')
  })

  test('reschedules many', async () => {
    const ids = [await api.create({ scheduledAt: tomorrow }), await api.create({ scheduledAt: tomorrow }), await api.create()]
    const { data } = await api.send<Result>('POST', '/content/bulk-reschedule', { ids, scheduledAt: nextWeek })
    expect(data).toMatchObject({ requested: 3, succeeded: 2, failed: [{ id: ids[2], code: 'not_scheduled' }] })
    for (const id of ids.slice(0, 2)) expect((await api.get(id)).scheduledAt).toBe(nextWeek)
  })

  test('uses the given time zone, or that of each post', async () => {
    const year = new Date().getFullYear() + 1
    const wall = `${year}-01-10T09:00:00`
    const berlin = await api.create({ scheduledAt: wall, timezone: 'Europe/Berlin' })
    const tokyo = await api.create({ scheduledAt: wall, timezone: 'Asia/Tokyo' })
    const ids = [berlin, tokyo]
    await api.send('POST', '/content/bulk-reschedule', { ids, scheduledAt: `${year}-01-11T09:00:00` })
    expect((await api.get(berlin)).scheduledAt).toBe(`${year}-01-11T08:00:00.000Z`)
    expect((await api.get(tokyo)).scheduledAt).toBe(`${year}-01-11T00:00:00.000Z`)
    await api.send('POST', '/content/bulk-reschedule', { ids, scheduledAt: `${year}-01-11T09:00:00`, timezone: 'UTC' })
    for (const id of ids) expect(await api.get(id)).toMatchObject({ scheduledAt: `${year}-01-11T09:00:00.000Z`, timezone: 'UTC' })
  })

  test('refuses a time that no post can have', async () => {
    const ids = [await api.create({ scheduledAt: tomorrow })]
    for (const body of [
      { scheduledAt: 'soon' },
      { scheduledAt: '2020-01-01T00:00:00Z' },
      { scheduledAt: tomorrow, timezone: 'Mars/Olympus' },
      {},
    ])
      expect((await api.send('POST', '/content/bulk-reschedule', { ids, ...body })).error?.code).toBe('request_invalid')
    for (const path of ['bulk-retry', 'bulk-reschedule'])
      for (const wrong of [[], Array.from({ length: 101 }, () => newId(0))])
        expect(
          (
            await api.send('POST', `/content/${path}`, {
              ids: wrong,
              ...(path === 'bulk-reschedule' && { scheduledAt: tomorrow }),
            })
          ).status,
        ).toBe(422)
  })
})

/** Guarantee: a channel whose connection was removed stays canceled, and the other channels of its post can be published again. */
test('publishes a draft that has a canceled channel', async () => {
  const connections = [api.first, api.second]
  const platformOptions = { [api.second]: { text: 'Own text' } }
  const id = await api.create({ connections, platformOptions, scheduledAt: tomorrow })
  await api.setChannel(id, { state: 'canceled' }, api.second)
  expect((await api.send('POST', `/content/${id}/unschedule`)).status).toBe(200)
  const { status, data } = await api.send('POST', `/content/${id}/publish`)
  expect([status, data.channels.map(({ result }) => result.status)]).toEqual([200, ['pending', 'canceled']])
})

/** Guarantee: a post is counted once against the plan, however often it is unscheduled, edited and published again. */
test('usage counts a post once', async () => {
  const count = async () =>
    (await api.send<{ usage: { count: number } }>('POST', '/content/text', { connections: [api.first], text: 'x' })).data.usage
      .count
  const id = await api.create({ scheduledAt: tomorrow })
  for (let n = 0; n < 3; n++) {
    expect((await api.send('POST', `/content/${id}/unschedule`)).data.status).toBe('draft')
    await api.send('PATCH', `/content/${id}`, { text: `Edited ${n}` })
    expect((await api.send('POST', `/content/${id}/publish`)).data.status).toBe('scheduled')
  }
  expect(await count()).toBe(2)
  const draft = await api.create({ saveDraft: true, scheduledAt: tomorrow })
  expect(await count()).toBe(3)
  await api.send('POST', `/content/${draft}/publish`)
  await api.send('POST', `/content/${draft}/unschedule`)
  await api.send('POST', `/content/${draft}/publish`)
  expect(await count()).toBe(5)
})

/** Guarantee: a plan that is used up still lets people change the posts that it has counted. */
test('the last post of a plan can be unscheduled, edited and published again', async () => {
  await api.ctx.db.system.updateTable('workspace').where('id', '=', api.workspaceId).set({ plan: 'free' }).execute()
  const ids: string[] = []
  for (let n = 0; n < 30; n++) ids.push(await api.create({ scheduledAt: tomorrow }))
  const body = { connections: [api.first], text: 'one too many' }
  expect(await api.send('POST', '/content/text', body)).toMatchObject({ status: 403, error: { code: 'plan_limit_reached' } })
  const [id] = ids
  expect((await api.send('POST', `/content/${id}/unschedule`)).status).toBe(200)
  expect((await api.send('PATCH', `/content/${id}`, { text: 'Edited' })).status).toBe(200)
  expect((await api.send('POST', `/content/${id}/publish`)).status).toBe(200)
})
