import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName, events, ReturnsOf } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { relayEvents } from '../../../commands/run-worker.ts'
import { recordEvents } from '../../events/outbox.store.ts'
import { PostApi } from '../../posts/post-api.fixture.ts'
import { webhookRoutes } from '../webhook.routes.ts'
import { insertLoggedEvents } from './event-log.store.ts'

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-event-log-'))
  api = await PostApi.start(dir, { routes: [webhookRoutes] })
}, 60_000)
beforeEach(() => api.openWorkspace())
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const dayMs = 86_400_000
const inADay = () => new Date(Date.now() + dayMs).toISOString()

/** Lets something happen in the workspace, and the relay log it. */
async function happen(...all: { event: EventName; postId?: string; connectionId?: string; atMs?: number }[]): Promise<void> {
  const { workspaceId, ctx } = api
  const events = all.map((each) => ({ workspaceId, atMs: ctx.nowMs(), ...each }))
  await recordEvents(ctx.db.system, events)
  while (await relayEvents(ctx));
}

type Page = ReturnsOf<typeof events.list>
const list = async (query = '') => (await api.send<Page>('GET', `/events?${query}`)).data
const namesOf = ({ data }: Page) => data.map(({ event }) => event)

test('the log has what happened, oldest first, with the post as an event shows it', async () => {
  const id = await api.create({ scheduledAt: inADay(), externalId: 'mine' })
  await happen({ event: 'upload.publishing', postId: id })
  const { data, nextCursor } = await list()
  expect(data).toMatchObject([
    { event: 'upload.scheduled', workspaceId: api.workspaceId, data: { uploadId: id, status: 'scheduled', externalId: 'mine' } },
    { event: 'upload.publishing', data: { uploadId: id, status: 'publishing' } },
  ])
  expect(nextCursor).toBeNull()
})

test('an entry stays when its post is deleted, without data', async () => {
  const id = await api.create({ scheduledAt: inADay() })
  await happen({ event: 'workspace.restored' })
  await api.send('DELETE', `/content/${id}`)
  const { data } = await list()
  expect(data.map(({ event, data: about }) => [event, about])).toEqual([
    ['upload.scheduled', null],
    ['workspace.restored', null],
  ])
})

test('pages follow a cursor, which may be the id of any event, and end where nothing more has happened yet', async () => {
  const id = await api.create({ scheduledAt: inADay() })
  await happen(
    ...(['upload.publishing', 'channel.published', 'upload.completed'] as const).map((event) => ({ event, postId: id })),
  )
  const first = await list('limit=2')
  expect(namesOf(first)).toEqual(['upload.scheduled', 'upload.publishing'])
  expect(first.nextCursor).toBe(first.data[1]?.id)
  const second = await list(`limit=2&cursor=${first.nextCursor}`)
  expect(namesOf(second)).toEqual(['channel.published', 'upload.completed'])
  expect(await list(`limit=2&cursor=${second.nextCursor}`)).toEqual({ data: [], nextCursor: null })
  await happen({ event: 'upload.failed', postId: id })
  expect(namesOf(await list(`cursor=${second.data[1]?.id}`))).toEqual(['upload.failed'])
})

test('entries are found by type and by time', async () => {
  const id = await api.create({ scheduledAt: inADay() })
  const [monday, tuesday] = [Date.now() - 3 * dayMs, Date.now() - 2 * dayMs]
  await happen(
    { event: 'upload.publishing', postId: id, atMs: monday },
    { event: 'channel.failed', postId: id, atMs: tuesday },
    { event: 'upload.failed', postId: id, atMs: tuesday },
  )
  expect(namesOf(await list('type=upload.failed,channel.failed'))).toEqual(['channel.failed', 'upload.failed'])
  const from = encodeURIComponent(new Date(tuesday).toISOString())
  expect(namesOf(await list(`from=${from}`))).toEqual(['upload.scheduled', 'channel.failed', 'upload.failed'])
  const to = encodeURIComponent(new Date(tuesday - 1).toISOString())
  expect(namesOf(await list(`to=${to}`))).toEqual(['upload.publishing'])
  expect((await api.send('GET', '/events?type=upload.exploded')).status).toBe(422)
  expect((await api.send('GET', '/events?cursor=next')).status).toBe(422)
})

test('guarantee: what has just happened is found from a moment before it, and not from one after it', async () => {
  await happen({ event: 'workspace.restored' })
  const since = async (ms: number) => namesOf(await list(`from=${encodeURIComponent(new Date(Date.now() + ms).toISOString())}`))
  expect([await since(-60_000), await since(60_000)]).toEqual([['workspace.restored'], []])
})

test('guarantee: the log of a workspace shows nothing of another', async () => {
  await api.create({ scheduledAt: inADay() })
  await happen({ event: 'workspace.restored' })
  expect((await list()).data).toHaveLength(2)
  await api.openWorkspace()
  expect(await list()).toEqual({ data: [], nextCursor: null })
  await happen({ event: 'workspace.restored' })
  expect(namesOf(await list())).toEqual(['workspace.restored'])
})

test('guarantee: entries become visible in their order, so that a reader with a cursor misses none', async () => {
  const { workspaceId, ctx } = api
  const happened = (event: EventName) => [
    { workspaceId, event, postId: null, channelId: null, connectionId: null, personId: null, atMs: Date.now() },
  ]
  const insert = (event: EventName, before: Promise<unknown>) =>
    ctx.db.system.transaction().execute(async (tx) => {
      await insertLoggedEvents(tx, happened(event))
      await before
    })
  const open = Promise.withResolvers<void>()
  const first = insert('upload.scheduled', open.promise)
  await sleep(200)
  let isSecondDone = false
  const second = insert('upload.failed', Promise.resolve()).then(() => (isSecondDone = true))
  await sleep(300)
  expect([isSecondDone, namesOf(await list())]).toEqual([false, []])
  open.resolve()
  await Promise.all([first, second])
  expect(namesOf(await list())).toEqual(['upload.scheduled', 'upload.failed'])
})
