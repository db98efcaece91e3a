import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Occurrence, Post, Series } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signInAs } from '../people/sign-in.fixture.ts'
import { holdPost } from '../publishing/send/arm.store.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { makeSeriesPosts } from './make-due.ts'
import { seriesRoutes } from './series.routes.ts'

/** Guarantee: a date of a series is one post at most and never lost in silence, and after an outage at most the latest goes out. */

const dayMs = 86_400_000
let api: PostApi
let dir: string
let nowMs = 0

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-series-'))
  api = await PostApi.start(dir, { routes: [seriesRoutes], replace: { nowMs: () => nowMs } })
}, 60_000)

beforeEach(async () => {
  // Noon of a day in UTC, so that days of the calendar and of the clock agree.
  nowMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2
  await api.ctx.db.system.deleteFrom('series').execute()
  await api.openWorkspace()
})

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const day = (add: number) => new Date(nowMs + add * dayMs).toISOString().slice(0, 10)
const daily = (more: object = {}) => ({
  name: 'Bells',
  every: 1,
  unit: 'day',
  time: '18:00',
  timezone: 'UTC',
  from: day(0),
  content: { type: 'text', connections: [api.first], text: 'The bells ring at six.' },
  ...more,
})

async function create(more: object = {}): Promise<Series> {
  const { data, error } = await api.send<Series>('POST', '/series', daily(more))
  expect(error).toBeUndefined()
  return data
}
const read = async (id: string) => (await api.send<Series>('GET', `/series/${id}`)).data
const change = (id: string, body: object) => api.send<Series>('PATCH', `/series/${id}`, body)
const posts = async (id: string) =>
  (await api.send<{ data: Post[] }>('GET', `/content?series=${id}&sort=scheduledAt&limit=100`)).data.data
const states = ({ occurrences }: Series) => occurrences.map(({ date, state }) => `${date} ${state}`)
const stateOn = ({ occurrences }: Series, date: string) => occurrences.find((each) => each.date === date)?.state
const at = ({ occurrences }: Series, index: number): Occurrence => {
  const found = occurrences[index]
  if (!found) throw new Error('there is no such date')
  return found
}
const work = () => makeSeriesPosts(api.ctx)
/** Its posts are published, as if their time had come. */
async function publishDue(id: string): Promise<void> {
  for (const post of await posts(id))
    if (post.status === 'scheduled' && post.scheduledAt !== null && Date.parse(post.scheduledAt) <= nowMs) {
      await api.setPost(post.uploadId, { status: 'completed' })
      await api.setChannel(post.uploadId, { state: 'published', finished_at: new Date(nowMs) })
    }
}

describe('a series', () => {
  test('guarantee: has its next two dates as ordinary scheduled posts, and the next one when one has passed', async () => {
    const made = await create({ count: 4 })
    expect(states(made)).toEqual([`${day(0)} made`, `${day(1)} made`, `${day(2)} scheduled`, `${day(3)} scheduled`])
    expect(made.next).toBe(`${day(0)}T18:00:00.000Z`)
    const first = await posts(made.id)
    expect(
      first.map(({ status, scheduledAt, seriesId, occurrence, timezone }) => [
        status,
        scheduledAt,
        seriesId,
        occurrence,
        timezone,
      ]),
    ).toEqual([
      ['scheduled', `${day(0)}T18:00:00.000Z`, made.id, day(0), 'UTC'],
      ['scheduled', `${day(1)}T18:00:00.000Z`, made.id, day(1), 'UTC'],
    ])
    await work()
    expect(await posts(made.id)).toHaveLength(2)
    nowMs += dayMs
    await publishDue(made.id)
    await work()
    await work()
    expect((await posts(made.id)).map(({ occurrence }) => occurrence)).toEqual([day(-1), day(0), day(1)])
    nowMs += 3 * dayMs
    await publishDue(made.id)
    for (let pass = 0; pass < 3; pass++) await work()
    expect((await read(made.id)).state).toBe('ended')
    expect(await posts(made.id)).toHaveLength(4)
  })

  test('takes its variants in turn, also after a date that was skipped', async () => {
    const made = await create({ variants: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }] })
    expect((await posts(made.id)).map(({ text }) => text)).toEqual(['One.', 'Two.'])
    expect((await api.send('POST', `/series/${made.id}/skip`, { date: day(1) })).status).toBe(200)
    expect((await api.send('POST', `/series/${made.id}/skip`, { date: day(3) })).status).toBe(200)
    await work()
    expect((await posts(made.id)).map(({ text, occurrence }) => [occurrence, text])).toEqual([
      [day(0), 'One.'],
      [day(2), 'Three.'],
    ])
    expect(states(await read(made.id)).slice(0, 5)).toEqual([
      `${day(0)} made`,
      `${day(1)} skipped`,
      `${day(2)} made`,
      `${day(3)} skipped`,
      `${day(4)} scheduled`,
    ])
    nowMs += dayMs
    await publishDue(made.id)
    await work()
    expect((await posts(made.id)).map(({ occurrence }) => occurrence)).toEqual([day(-1), day(1), day(3)])
  })

  test('previews the dates that it would have', async () => {
    const rule = { every: 1, unit: 'month', on: 31, time: '02:30', timezone: 'Europe/Berlin', from: day(0) }
    const { data } = await api.send<{ dates: { date: string }[]; total: number | null }>('POST', '/series/preview', rule)
    expect([data.dates.length, data.total]).toEqual([10, null])
    const bounded = await api.send<{ dates: unknown[]; total: number }>('POST', '/series/preview', { ...rule, count: 3 })
    expect([bounded.data.dates.length, bounded.data.total]).toEqual([3, 3])
    expect((await api.send<Series[]>('GET', '/series')).data).toEqual([])
  })

  test.each([
    [{ unit: 'day', on: ['monday'] }, 'request_invalid'],
    [{ unit: 'week', on: 31 }, 'request_invalid'],
    [{ unit: 'month', on: ['monday'] }, 'request_invalid'],
    [{ unit: 'month', every: 13 }, 'request_invalid'],
    [{ timezone: 'Mars/Olympus' }, 'request_invalid'],
    [{ count: 3, until: '2999-01-01' }, 'request_invalid'],
    [{ count: 367 }, 'request_invalid'],
    [{ from: '2001-01-01' }, 'request_invalid'],
    [{ from: '2027-02-31' }, 'request_invalid'],
    [{ content: { type: 'text', connections: ['nobody'], text: 'x' } }, 'connection_unknown'],
    [{ variants: [{ text: 'x' }, { text: 'x'.repeat(501) }] }, 'post_invalid'],
    [{ variants: Array.from({ length: 21 }, () => ({ text: 'x' })) }, 'request_invalid'],
  ])('refuses %j with %s, and stores nothing', async (more, code) => {
    expect((await api.send('POST', '/series', daily(more))).error?.code).toBe(code)
    expect((await api.send<Series[]>('GET', '/series')).data).toEqual([])
    expect((await api.send<{ meta: { total: number } }>('GET', '/content')).data.meta.total).toBe(0)
  })

  test('is nothing to another workspace', async () => {
    const made = await create()
    await api.openWorkspace()
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { state: 'paused' }],
      ['POST', '/skip', { date: day(1) }],
      ['DELETE', '?posts=remove', undefined],
    ] as const)
      expect((await api.send(method, `/series/${made.id}${path}`, body)).error?.code).toBe('series_not_found')
    expect((await posts(made.id)).length).toBe(0)
  })
})

describe('guarantee: a date has one post', () => {
  test('with fifty makers at once', async () => {
    const made = await create()
    nowMs += dayMs
    await publishDue(made.id)
    await Promise.all(Array.from({ length: 50 }, work))
    expect((await posts(made.id)).map(({ occurrence }) => occurrence)).toEqual([day(-1), day(0), day(1)])
  })

  test('by a rule of the database, whatever a program does', async () => {
    const made = await create()
    const second = api.ctx.db.system
      .insertInto('series_date')
      .values({ workspace_id: api.workspaceId, series_id: made.id, date: day(0), number: 9, at: new Date(nowMs), state: 'made' })
      .execute()
    await expect(second).rejects.toThrow(/series_date_pkey/)
  })

  test('when a worker dies between its post and the end of its transaction', async () => {
    const made = await create()
    nowMs += dayMs
    await publishDue(made.id)
    const { tenant } = api.ctx.db
    const dying: typeof tenant = (workspaceId, run) =>
      tenant(workspaceId, async (tx) => {
        await run(tx)
        throw new Error('killed')
      })
    await makeSeriesPosts({ ...api.ctx, db: { ...api.ctx.db, tenant: dying } })
    expect(await posts(made.id)).toHaveLength(2)
    nowMs += 10 * 60_000
    await work()
    expect((await posts(made.id)).map(({ occurrence }) => occurrence)).toEqual([day(-1), day(0), day(1)])
  })

  test('also after its post was deleted', async () => {
    const made = await create()
    await api.send('DELETE', `/content/${at(made, 1).uploadId}`)
    await work()
    await change(made.id, { name: 'Other' })
    expect(stateOn(await read(made.id), day(1))).toBe('removed')
    expect(await posts(made.id)).toHaveLength(1)
  })
})

describe('guarantee: an outage ends with one post at most', () => {
  test('of the dates that passed, only the latest goes out; the posts before it are held', async () => {
    const made = await create()
    const waiting = await posts(made.id)
    nowMs += 5 * dayMs
    await work()
    const after = await read(made.id)
    expect(states(after).slice(0, 7)).toEqual([
      `${day(-5)} made`,
      `${day(-4)} made`,
      `${day(-3)} missed`,
      `${day(-2)} missed`,
      `${day(-1)} made`,
      `${day(0)} made`,
      `${day(1)} made`,
    ])
    expect((await api.get(at(after, 4).uploadId ?? '')).status).toBe('queued')
    // The two that were posts before are superseded by later dates of the same series.
    const past = new Date(Date.now() - 3 * dayMs)
    for (const { uploadId } of waiting) {
      await api.setChannel(uploadId, { due_at: past, dispatch_at: past })
      await api.ctx.db.system
        .updateTable('series_date')
        .where('post_id', '=', uploadId)
        .set({ next_at: new Date(Date.now() - dayMs) })
        .execute()
      const held = await api.ctx.db.system
        .transaction()
        .execute((tx) => holdPost(tx, { workspace_id: api.workspaceId, id: uploadId }))
      expect(held).toHaveLength(1)
      expect((await api.get(uploadId)).status).toBe('draft')
    }
  })

  test('a late post whose next date has not come goes out', async () => {
    const made = await create()
    const id = at(made, 0).uploadId ?? ''
    const past = new Date(Date.now() - 3 * 3_600_000)
    await api.setChannel(id, { due_at: past, dispatch_at: past })
    await api.ctx.db.system
      .updateTable('series_date')
      .where('post_id', '=', id)
      .set({ next_at: new Date(Date.now() + dayMs) })
      .execute()
    expect(await api.ctx.db.system.transaction().execute((tx) => holdPost(tx, { workspace_id: api.workspaceId, id }))).toEqual([])
  })

  test('not even the latest, if it is later than the workspace accepts', async () => {
    const made = await create()
    await api.ctx.db.system.updateTable('workspace').where('id', '=', api.workspaceId).set({ hold_if_late_minutes: 60 }).execute()
    nowMs += 5 * dayMs
    await work()
    expect(stateOn(await read(made.id), day(-1))).toBe('missed')
  })

  test('dates that passed while it was paused are missed, and resuming publishes nothing at once', async () => {
    const made = await create({ variants: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }, { text: 'Four.' }] })
    expect((await change(made.id, { state: 'paused' })).data).toMatchObject({ state: 'paused', next: null })
    expect(await posts(made.id)).toEqual([])
    nowMs += 3 * dayMs
    await work()
    const { data: resumed } = await change(made.id, { state: 'active' })
    expect(states(resumed).slice(0, 5)).toEqual([
      `${day(-3)} missed`,
      `${day(-2)} missed`,
      `${day(-1)} missed`,
      `${day(0)} made`,
      `${day(1)} made`,
    ])
    expect((await posts(made.id)).map(({ text, status }) => [text, status])).toEqual([
      ['Four.', 'scheduled'],
      ['One.', 'scheduled'],
    ])
  })
})

describe('changing', () => {
  const texts = async (id: string) => (await posts(id)).map(({ text }) => text)
  const content = (text: string) => ({ content: { type: 'text', connections: [api.first], text } })

  test('guarantee: the series is changed for what is not made yet, and on wish for what nobody edited', async () => {
    const made = await create()
    await change(made.id, content('Seven.'))
    expect(await texts(made.id)).toEqual(['The bells ring at six.', 'The bells ring at six.'])
    const edited = at(made, 0).uploadId ?? ''
    expect((await api.send('PATCH', `/content/${edited}`, { text: 'Today at five!', keepSchedule: true })).status).toBe(200)
    expect((await read(made.id)).occurrences.slice(0, 2).map((each) => each.edited)).toEqual([true, false])
    const { data } = await change(made.id, { ...content('Eight.'), apply: 'unedited' })
    expect(await texts(made.id)).toEqual(['Today at five!', 'Eight.'])
    expect(at(data, 0).uploadId).toBe(edited)
    nowMs += dayMs
    await publishDue(made.id)
    await work()
    expect(await texts(made.id)).toEqual(['Today at five!', 'Eight.', 'Eight.'])
  })

  test('guarantee: a change of made posts is refused as a whole while one is being published', async () => {
    const made = await create()
    const [first] = await posts(made.id)
    await api.setPost(first?.uploadId ?? '', { status: 'publishing' })
    await api.setChannel(first?.uploadId ?? '', { state: 'submitting' })
    expect((await change(made.id, { ...content('Eight.'), apply: 'unedited' })).error?.code).toBe('already_publishing')
    expect((await read(made.id)).content.text).toBe('The bells ring at six.')
    expect(await texts(made.id)).toEqual(['The bells ring at six.', 'The bells ring at six.'])
    expect((await api.send('POST', `/series/${made.id}/skip`, { date: day(0) })).error?.code).toBe('already_publishing')
  })

  test('the time: posts that nobody edited move, and a time that passed today is not made up for', async () => {
    const made = await create({ count: 5 })
    const { data } = await change(made.id, { time: '08:00', apply: 'unedited' })
    expect((await posts(made.id)).map(({ scheduledAt }) => scheduledAt)).toEqual([
      `${day(1)}T08:00:00.000Z`,
      `${day(2)}T08:00:00.000Z`,
    ])
    expect(states(data)).toEqual([1, 2, 3, 4, 5].map((add) => `${day(add)} ${add < 3 ? 'made' : 'scheduled'}`))
  })

  test('posts that are made again count once against the plan', async () => {
    const made = await create()
    const count = async () =>
      Number(
        (
          await api.ctx.db.system
            .selectFrom('usage_month')
            .where('workspace_id', '=', api.workspaceId)
            .select(({ fn }) => fn.sum('posts').as('posts'))
            .executeTakeFirst()
        )?.posts,
      )
    expect(await count()).toBe(2)
    await change(made.id, { ...content('Eight.'), apply: 'unedited' })
    await change(made.id, { state: 'paused' })
    await change(made.id, { state: 'active' })
    expect([await count(), (await posts(made.id)).length]).toEqual([2, 2])
  })

  test('ended with or without its posts, and deleted with or without them', async () => {
    const kept = await create()
    expect((await change(kept.id, { state: 'ended' })).data.state).toBe('ended')
    expect(await posts(kept.id)).toHaveLength(2)
    expect((await change(kept.id, { name: 'x' })).error?.code).toBe('series_ended')
    const gone = await create()
    await change(gone.id, { state: 'ended', posts: 'remove' })
    expect(await posts(gone.id)).toEqual([])
    const both = [await create(), await create()]
    const ids = await Promise.all(both.map(async ({ id }) => (await posts(id)).map(({ uploadId }) => uploadId)))
    await api.send('DELETE', `/series/${both[0]?.id}`)
    await api.send('DELETE', `/series/${both[1]?.id}?posts=remove`)
    expect(await Promise.all(ids.flat().map(async (id) => (await api.send('GET', `/content/${id}`)).status))).toEqual([
      200, 200, 404, 404,
    ])
    expect((await api.get(ids[0]?.[0] ?? '')).seriesId).toBeUndefined()
  })
})

describe('guarantee: a post that is refused is visible, tried again, and stops nothing', () => {
  test('an account that must be connected again', async () => {
    const made = await create()
    const status = (to: 'active' | 'needs_reconnect') =>
      api.ctx.db.system
        .updateTable('connection')
        .where('workspace_id', '=', api.workspaceId)
        .where('slug', '=', api.first)
        .set({ status: to })
        .execute()
    await status('needs_reconnect')
    nowMs += dayMs
    await publishDue(made.id)
    await work()
    const refused = (await read(made.id)).occurrences.find(({ state }) => state === 'refused')
    expect(refused).toMatchObject({ date: day(1), error: { code: 'connection_needs_reconnect' } })
    await status('active')
    nowMs += 20 * 60_000
    await work()
    expect(stateOn(await read(made.id), day(1))).toBe('made')
    expect(await posts(made.id)).toHaveLength(3)
  })

  test('a member who left: another one takes the series over', async () => {
    const made = await create()
    const { system } = api.ctx.db
    const person = await system.selectFrom('series').where('id', '=', made.id).select('person_id').executeTakeFirstOrThrow()
    await system.updateTable('series').where('id', '=', made.id).set({ person_id: 'gone', api_key_id: null }).execute()
    nowMs += dayMs
    await publishDue(made.id)
    await work()
    expect((await read(made.id)).occurrences.find(({ date }) => date === day(1))).toMatchObject({
      state: 'refused',
      error: { code: 'role_forbidden' },
    })
    await change(made.id, { content: made.content })
    expect(stateOn(await read(made.id), day(1))).toBe('made')
    expect(person.person_id).toBe(api.personId)
  })
})

describe('guarantee: where posts wait for an approval, a series makes nothing without one', () => {
  /** The same person in a browser, who may approve what a program of theirs made. */
  async function approve(id: string, revision: string): Promise<number> {
    const cookie = await signInAs(api.ctx, api.personId)
    const response = await api.server.app.inject({
      method: 'POST',
      url: `/api/series/${id}/approve`,
      headers: { cookie, origin: new URL(api.ctx.config.publicUrl).origin, 'x-workspace-id': api.workspaceId },
      payload: { revision },
    })
    return response.statusCode
  }
  const setRule = (approval: 'none' | 'programs') =>
    api.ctx.db.system.updateTable('workspace').where('id', '=', api.workspaceId).set({ approval }).execute()

  test('the approval covers its posts, and a change needs another one', async () => {
    await setRule('programs')
    const made = await create()
    expect(made).toMatchObject({ approval: 'pending', revision: expect.stringMatching(/^[0-9a-f]{64}$/) })
    await work()
    expect(await posts(made.id)).toEqual([])
    expect((await api.send('POST', `/series/${made.id}/approve`, { revision: made.revision ?? '' })).status).toBe(403)
    expect(await approve(made.id, 'f'.repeat(64))).toBe(409)
    expect(await approve(made.id, made.revision ?? '')).toBe(200)
    await work()
    expect((await posts(made.id)).map(({ status }) => status)).toEqual(['scheduled', 'scheduled'])
    const edited = await api.send('PATCH', `/content/${(await posts(made.id))[0]?.uploadId}`, {
      text: 'Buy!',
      keepSchedule: true,
    })
    expect(edited.error?.code).toBe('approval_required')
    const { data: changed } = await change(made.id, { content: { ...made.content, text: 'Buy!' } })
    expect(changed.approval).toBe('pending')
    expect(changed.revision).not.toBe(made.revision)
    nowMs += dayMs
    await publishDue(made.id)
    await work()
    expect((await posts(made.id)).map(({ text }) => text)).not.toContain('Buy!')
  })

  test('an account that is another one ends it, and so does a rule that comes later', async () => {
    await setRule('programs')
    const made = await create()
    await approve(made.id, made.revision ?? '')
    await work()
    await api.ctx.db.system
      .updateTable('connection')
      .where('workspace_id', '=', api.workspaceId)
      .where('slug', '=', api.first)
      .set({ account_id: '9' })
      .execute()
    nowMs += dayMs
    await publishDue(made.id)
    await work()
    expect((await read(made.id)).approval).toBe('pending')
    expect(await posts(made.id)).toHaveLength(2)
    await setRule('none')
    // What a key may do is known for half a second.
    nowMs += 1000
    const free = await create()
    await setRule('programs')
    nowMs += dayMs
    await publishDue(free.id)
    await work()
    expect((await read(free.id)).approval).toBe('pending')
    expect(await posts(free.id)).toHaveLength(2)
  })
})
