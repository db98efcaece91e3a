import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Post, TimelineEntry } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openPublisher, type TestPublisher } from '../../publishing/publishing.fixture.ts'
import { submitBatch } from '../../publishing/send/submit-batch.ts'
import { PostApi } from '../post-api.fixture.ts'

/** Guarantee: a scheduled post is changed in place. It is scheduled before, during and after the change, and what is sent is the new text. */

const day = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * 86_400_000).toISOString()

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-edit-'))
  api = await PostApi.start(dir)
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

type Reply = { data: Post; error: { code: string; current?: Post; details?: { path: string; code: string }[] } }

async function change(id: string, body: object, headers: Record<string, string> = {}) {
  const response = await api.server.app.inject({
    method: 'PATCH',
    url: `/api/content/${id}`,
    headers: { authorization: `Bearer ${api.apiKey}`, 'x-workspace-id': api.workspaceId, ...headers },
    payload: body,
  })
  return { status: response.statusCode, etag: response.headers.etag, ...response.json<Reply>() }
}

const schedule = (body: object = {}) => api.create({ connections: [api.first, api.second], scheduledAt: day(1), ...body })

describe('PATCH with keepSchedule', () => {
  test('changes the text and keeps the time, the channels and the usage', async () => {
    const id = await schedule()
    const before = await api.get(id)
    const usage = await countedPosts()
    const { status, data } = await change(id, { text: 'The bells ring at ten.', keepSchedule: true })
    expect(status).toBe(200)
    expect(data).toMatchObject({ status: 'scheduled', text: 'The bells ring at ten.', scheduledAt: before.scheduledAt })
    expect(data.channels.map((channel) => channel.id)).toEqual(before.channels.map((channel) => channel.id))
    expect((await api.channels(id)).map(({ state, due_at }) => [state, due_at?.toISOString()])).toEqual([
      ['scheduled', before.scheduledAt],
      ['scheduled', before.scheduledAt],
    ])
    expect(await countedPosts()).toBe(usage)
  })

  test('without it, a scheduled post is no draft', async () => {
    const id = await schedule()
    expect(await change(id, { text: 'Changed' })).toMatchObject({ status: 409, error: { code: 'not_a_draft' } })
    expect(await change(id, { text: 'Changed', keepSchedule: false })).toMatchObject({ status: 409 })
  })

  test('is refused like a new post, with every problem at once, and changes nothing', async () => {
    const id = await schedule()
    const before = await api.get(id)
    const text = 'x'.repeat(5000)
    const refused = await change(id, { text, keepSchedule: true })
    expect(refused).toMatchObject({ status: 422, error: { code: 'post_invalid' } })
    expect(refused.error.details?.map(({ path }) => path)).toEqual(['connections[0].text', 'connections[1].text'])
    expect(await change(id, { text: '', keepSchedule: true })).toMatchObject({ status: 422, error: { code: 'request_invalid' } })
    expect(await change(id, { connections: [], keepSchedule: true })).toMatchObject({ status: 422 })
    expect(await change(id, { scheduledAt: null, keepSchedule: true })).toMatchObject({ status: 422 })
    expect(await api.get(id)).toEqual(before)
  })

  test('adds and removes accounts', async () => {
    const id = await schedule({ connections: [api.first], platformOptions: { [api.first]: { text: 'Mine' } } })
    const [first] = (await api.get(id)).channels
    const { data } = await change(id, { connections: [api.second, api.first], keepSchedule: true })
    expect(data.channels.map(({ connection }) => connection)).toEqual([api.second, api.first])
    expect(data.channels[1]?.id).toBe(first?.id)
    const without = await change(id, { connections: [api.second], keepSchedule: true })
    expect(without.data).toMatchObject({ status: 'scheduled', channels: [{ connection: api.second }], platformOptions: {} })
  })

  test('moves the time with the text', async () => {
    const id = await schedule()
    const scheduledAt = day(2)
    const { data } = await change(id, { text: 'Later', scheduledAt, keepSchedule: true })
    expect(data).toMatchObject({ status: 'scheduled', text: 'Later', scheduledAt })
    expect((await api.channels(id)).map(({ due_at }) => due_at?.toISOString())).toEqual([scheduledAt, scheduledAt])
  })

  test('changes only the version that was read', async () => {
    const id = await schedule()
    const etag = (await change(id, { text: 'One', keepSchedule: true })).etag ?? ''
    expect((await change(id, { text: 'Two', keepSchedule: true }, { 'if-match': etag })).status).toBe(200)
    const stale = await change(id, { text: 'Three', keepSchedule: true }, { 'if-match': etag })
    expect(stale).toMatchObject({ status: 412, error: { code: 'draft_changed', current: { text: 'Two' } } })
  })

  test('is refused once a channel is being sent, and for a draft', async () => {
    const id = await schedule()
    await api.setChannel(id, { state: 'submitting' })
    expect(await change(id, { text: 'Too late', keepSchedule: true })).toMatchObject({
      status: 409,
      error: { code: 'already_publishing' },
    })
    const draft = await api.create({ saveDraft: true })
    expect(await change(draft, { text: 'A draft', keepSchedule: true })).toMatchObject({
      status: 409,
      error: { code: 'not_scheduled' },
    })
  })

  test('leaves a canceled channel as it is', async () => {
    const id = await schedule({ platformOptions: { [api.first]: { text: 'Mine' } } })
    await api.setChannel(id, { state: 'canceled', finished_at: new Date() })
    const { status, data } = await change(id, { text: 'Changed', keepSchedule: true })
    const statuses = data.channels.map(({ connection, result }) => [connection, result.status]).toSorted()
    expect([status, statuses]).toEqual([
      200,
      [
        [api.first, 'canceled'],
        [api.second, 'pending'],
      ],
    ])
  })

  test('is in the timeline of every channel and in the audit log', async () => {
    const id = await schedule()
    await change(id, { text: 'Changed', keepSchedule: true })
    const { data } = await api.send<TimelineEntry[]>('GET', `/content/${id}/timeline`)
    expect(data.filter(({ code }) => code === 'post_changed').map(({ stage }) => stage)).toEqual(['queued', 'queued'])
    const rows = await api.ctx.db.system.selectFrom('audit_entry').select('action').where('subject_id', '=', id).execute()
    expect(rows.map(({ action }) => action)).toContain('post.update')
  })

  async function countedPosts(): Promise<number> {
    const rows = await api.ctx.db.system
      .selectFrom('usage_month')
      .select('posts')
      .where('workspace_id', '=', api.workspaceId)
      .execute()
    return rows.reduce((sum, { posts }) => sum + posts, 0)
  }
})

describe('a job that was enqueued before the change', () => {
  let world: TestPublisher
  beforeAll(async () => {
    world = await openPublisher(api.database, { mastodon: {} })
  }, 60_000)
  afterAll(() => world.close())

  test('sends nothing; the next one sends the new text once', async () => {
    const id = await world.create('With a tpyo', { scheduledAt: day(1) })
    // The time has come in the database; the clock of the request is behind it.
    const past = new Date(Date.now() - 1000)
    await world.ctx.db.system.updateTable('channel').set({ due_at: past, dispatch_at: past }).where('post_id', '=', id).execute()
    await world.ctx.db.system.updateTable('post').set({ scheduled_at: past }).where('id', '=', id).execute()
    const [early] = await world.claim()
    if (!early) throw new Error('nothing was claimed')
    const changed = await world.call('PATCH', `/content/${id}`, { text: 'Without a typo', keepSchedule: true })
    expect(changed).toMatchObject({ data: { status: 'scheduled' } })
    await submitBatch(world.ctx, early)
    expect(world.sent).toEqual([])
    for (const batch of await world.claim()) await submitBatch(world.ctx, batch)
    expect(world.sent).toEqual(['Without a typo'])
  })
})
