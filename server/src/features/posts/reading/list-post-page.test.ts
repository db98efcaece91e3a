import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Attention, Post } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PostApi } from '../post-api.fixture.ts'

type Page = { data: Post[]; meta: { total: number; nextCursor: string | null } }

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const finished = { finished_at: new Date() } as const

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-lists-'))
  api = await PostApi.start(dir)
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const list = async (query: string) => (await api.send<Page>('GET', `/content?${query}`)).data
const idsOf = ({ data }: Page) => data.map(({ uploadId }) => uploadId)

describe('the list of posts', () => {
  test('can be filtered by connection, by slug or id, and counts what it shows', async () => {
    const [first, both] = [await api.create(), await api.create({ connections: [api.first, api.second] })]
    const { connectionId } = (await api.get(both)).channels[1] ?? {}
    expect(idsOf(await list(`connection=${api.first}`))).toEqual([both, first])
    for (const name of [api.second, connectionId]) {
      const page = await list(`connection=${name}`)
      expect([idsOf(page), page.meta.total]).toEqual([[both], 1])
    }
    expect(idsOf(await list('connection=mastodon-nobody'))).toEqual([])
  })

  test('can be sorted by time, soonest first, also page by page', async () => {
    const late = await api.create({ scheduledAt: inDays(9) })
    const now = await api.create()
    const soon = await api.create({ scheduledAt: inDays(2) })
    const same = await api.create({ scheduledAt: (await api.get(soon)).scheduledAt ?? '' })
    const order = [now, soon, same, late]
    expect(idsOf(await list('sort=scheduledAt'))).toEqual(order)
    expect(idsOf(await list('sort=scheduledAt&limit=2&page=2'))).toEqual(order.slice(2))
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await list(`sort=scheduledAt&limit=1${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...idsOf(page))
      cursor = page.meta.nextCursor
    } while (cursor)
    expect(seen).toEqual(order)
    expect(idsOf(await list('sort=createdAt'))).toEqual([same, soon, now, late])
  })
})

describe('what needs attention', () => {
  const noPosts = { failed: 0, unconfirmed: 0, late: 0 }
  const nothing = { failed: 0, unconfirmed: 0, needsReconnect: 0, expiring: 0, late: 0, posts: noPosts }
  const attention = async () => (await api.send<Attention>('GET', `/workspaces/${api.workspaceId}/attention`)).data

  test('counts channels and connections, and leaves out archived posts and other workspaces', async () => {
    const failed = await api.create({ connections: [api.first, api.second] })
    await api.setChannel(failed, { ...finished, state: 'failed' })
    await api.setChannel(failed, { ...finished, state: 'unconfirmed' }, api.second)
    const late = await api.create()
    const past = new Date(Date.now() - 120_000)
    await api.setChannel(late, { waiting_reason: 'rate_limit', due_at: past })
    const archived = await api.create()
    await api.setChannel(archived, { ...finished, state: 'failed' })
    await api.setPost(archived, { archived_at: new Date() })
    await api.ctx.db.system
      .updateTable('connection')
      .where('workspace_id', '=', api.workspaceId)
      .where('slug', '=', api.first)
      .set({ status: 'needs_reconnect' })
      .execute()
    const posts = { ...noPosts, unconfirmed: 1, late: 1 }
    expect(await attention()).toEqual({ ...nothing, failed: 1, unconfirmed: 1, needsReconnect: 1, late: 1, posts })
    await api.openWorkspace()
    expect(await attention()).toEqual(nothing)
  })

  test('guarantee: a post counts once, however many of its channels failed', async () => {
    const both = { connections: [api.first, api.second] }
    const [failed, late] = [await api.create(both), await api.create(both)]
    const past = new Date(Date.now() - 120_000)
    for (const slug of [api.first, api.second]) {
      await api.setChannel(failed, { ...finished, state: 'failed' }, slug)
      await api.setChannel(late, { waiting_reason: 'rate_limit', due_at: past }, slug)
    }
    expect(await attention()).toEqual({ ...nothing, failed: 2, late: 2, posts: { ...noPosts, failed: 1, late: 1 } })
  })

  test('guarantee: a failure nobody has dealt with for 30 days is not counted any more, and stays in the list', async () => {
    const [old, recent] = [await api.create(), await api.create()]
    await api.setChannel(old, { state: 'failed', finished_at: new Date(inDays(-31)) })
    await api.setChannel(recent, { state: 'failed', finished_at: new Date(inDays(-29)) })
    for (const id of [old, recent]) await api.setPost(id, { status: 'failed' })
    expect((await attention()).posts).toEqual({ ...noPosts, failed: 1 })
    expect(idsOf(await list('status=failed'))).toEqual([recent, old])
  })
})
