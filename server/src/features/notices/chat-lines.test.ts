import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Delivery, EventName, Webhook } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { relayEvents } from '../../commands/run-worker.ts'
import type { Egress } from '../../infra/egress/egress.ts'
import { recordEvents } from '../events/outbox.store.ts'
import { channelError } from '../posts/channel-error.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { deliverAll } from '../webhooks/deliver.ts'
import { claimDeliveries } from '../webhooks/dispatch.store.ts'
import { webhookRoutes } from '../webhooks/webhook.routes.ts'
import { deriveNotices } from './derive-notices.ts'
import { tellNotices } from './tell-notices.ts'

let api: PostApi
let dir: string
let aheadMs = 0
const requests: { url: string; headers: Record<string, string>; body: string }[] = []
let reply: { status: number; headers: Record<string, string>; body: string }

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-chats-'))
  const egress: Egress = {
    async request({ url, headers, body }) {
      requests.push({ url, headers: { ...headers }, body: String(body) })
      return { ...reply, body: Buffer.from(reply.body), truncated: false, url }
    },
    open: () => Promise.reject(new Error('not used')),
    checkUrl: async (url) => ({ ok: true, url: new URL(url) }),
    close: async () => {},
  }
  api = await PostApi.start(dir, { routes: [webhookRoutes], replace: { egress, nowMs: () => Date.now() + aheadMs } })
}, 60_000)
beforeEach(async () => {
  aheadMs = 0
  requests.length = 0
  reply = { status: 200, headers: {}, body: 'ok' }
  await api.openWorkspace()
})
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const addresses = {
  slack: 'https://hooks.example/services/T0/B0/SECRET',
  discord: 'https://chat.example/api/webhooks/1/SECRET',
  telegram: 'https://bots.example/bot1:SECRET/sendMessage?chat_id=-100',
} as const
type Format = keyof typeof addresses

const addChat = (format: Format, events: EventName[] = ['channel.failed'], url: string = addresses[format]) =>
  api.send<Webhook>('POST', '/webhooks', { url, events, format })

/** Lets posts fail, and does what a worker does until their lines are planned. */
async function failPosts(count: number): Promise<void> {
  const { ctx, workspaceId } = api
  const scheduledAt = new Date(ctx.nowMs() + 86_400_000).toISOString()
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await api.create({ text: `Post ${n}`, scheduledAt }))
  const error = JSON.stringify(channelError('content_rejected'))
  const rows = await ctx.db.system
    .updateTable('part')
    .where('post_id', 'in', ids)
    .set({ state: 'failed', error, finished_at: new Date() })
    .returning(['id', 'post_id'])
    .execute()
  const event = 'channel.failed' as const
  const events = rows.map(({ id, post_id }) => ({ workspaceId, event, channelId: id, postId: post_id, atMs: ctx.nowMs() }))
  await recordEvents(ctx.db.system, events)
  while (await relayEvents(ctx));
  while (await deriveNotices(ctx));
  aheadMs += 30_000
  while (await tellNotices(ctx));
}

async function deliver(): Promise<void> {
  await api.ctx.db.system
    .updateTable('webhook_delivery')
    .set({ next_attempt_at: new Date(Date.now() - 1000) })
    .execute()
  const limits = { horizonMs: 5_000, lostAfterMs: 60_000, perWebhook: 10, limit: 100, after: null }
  const { claimed } = await claimDeliveries(api.ctx.db.system, { ...limits, prompt: { webhookIds: [], perWebhook: 10 } })
  for (const ref of claimed) await deliverAll(api.ctx, [ref])
}

const bodies = (): Record<string, unknown>[] => requests.map(({ body }) => JSON.parse(body))
const rename = (name: string) =>
  api.ctx.db.system.updateTable('workspace').where('id', '=', api.workspaceId).set({ name }).execute()

test('guarantee: a cause is one line in each chat, however many posts failed, and programs still get each event', async () => {
  for (const format of ['slack', 'discord', 'telegram'] as const) await addChat(format)
  await addChat('slack', ['connection.expiring'])
  await api.send('POST', '/webhooks', { url: 'https://program.example/', events: ['channel.failed'] })
  await failPosts(12)
  await deliver()
  await deliver()
  const perHost = (host: string) => requests.filter(({ url }) => url.includes(host))
  const hosts = ['hooks.example', 'chat.example', 'bots.example', 'program.example']
  expect(hosts.map((host) => perHost(host).length)).toEqual([1, 1, 1, 12])
  const [line] = perHost('hooks.example')
  expect(JSON.parse(line?.body ?? '').text).toMatch(
    /^Tower: 12 posts on .*first failed\nThe platform refused.*\nhttps?:.*\/w\/.*\/posts/,
  )
  expect(Object.keys(line?.headers ?? {}).toSorted()).toEqual(['content-type', 'user-agent'])
  expect(perHost('bots.example')[0]?.url).toBe('https://bots.example/bot1:SECRET/sendMessage')
  expect(JSON.parse(perHost('bots.example')[0]?.body ?? '').chat_id).toBe('-100')
})

test('guarantee: no name in a line calls anybody', async () => {
  await rename('<!channel> @everyone & @all\nhttps://evil.example')
  for (const format of ['slack', 'discord', 'telegram'] as const) await addChat(format)
  await failPosts(1)
  await deliver()
  const [slack, discord, telegram] = ['text', 'content', 'chat_id'].map((name) =>
    bodies().find((body) => name in body && (name !== 'text' || !('chat_id' in body))),
  )
  expect(slack?.['text']).toContain('&lt;!channel&gt;')
  expect(slack?.['text']).not.toMatch(/[<>]|@\w/)
  expect(discord).toMatchObject({ allowed_mentions: { parse: [] } })
  expect(telegram?.['text']).not.toMatch(/@\w/)
  expect(telegram).not.toHaveProperty('parse_mode')
  for (const body of [slack, telegram]) expect(String(body?.['text']).split('\n')).toHaveLength(3)
})

test('a line has at most 1,500 characters and keeps its address', async () => {
  await rename('ä😀'.repeat(2000))
  await addChat('discord')
  await failPosts(1)
  await deliver()
  const content = String(bodies()[0]?.['content'])
  expect(Array.from(content).length).toBeLessThanOrEqual(1500)
  expect(content).toMatch(/…\nhttp\S+\/posts\/\w+$/)
})

test('guarantee: nobody reads the address of a chat, neither by the API nor in the database', async () => {
  const { data: made } = await addChat('slack')
  expect(made).toMatchObject({ format: 'slack', secret: null, url: 'https://hooks.example/…', events: ['channel.failed'] })
  await api.send('POST', `/webhooks/${made.id}/test`)
  await deliver()
  expect(bodies()).toMatchObject([{ text: expect.stringContaining('This is a test') }])
  const seen = [
    await api.send('GET', '/webhooks'),
    await api.send('GET', `/webhooks/${made.id}/deliveries`),
    await api.ctx.db.system.selectFrom('webhook').selectAll().execute(),
    await api.ctx.db.system.selectFrom('webhook_delivery').selectAll().execute(),
  ]
  expect(JSON.stringify(seen)).not.toContain('SECRET')
  expect((await api.send('POST', `/webhooks/${made.id}/rotate-secret`)).error?.code).toBe('webhook_without_secret')

  const other = 'https://other.example/services/SECRET2'
  const changed = await api.send<Webhook>('PATCH', `/webhooks/${made.id}`, { url: other, events: ['connection.expiring'] })
  expect(changed.data).toMatchObject({ url: 'https://other.example/…', events: ['connection.expiring'], secret: null })
  await api.send('POST', `/webhooks/${made.id}/test`)
  await deliver()
  expect(requests.at(-1)?.url).toBe(other)
})

test.each([
  ['telegram', 'https://bots.example/bot1:x/sendMessage'],
  ['telegram', 'https://bots.example/sendMessage?chat_id=1'],
  ['discord', 'https://chat.example/'],
] as const)('%s does not take the address %s', async (format, url) => {
  const refused = await addChat(format, ['channel.failed'], url)
  expect([refused.status, refused.error]).toMatchObject([422, { code: 'request_invalid' }])
})

test('a chat that has had enough is told again when it wants', async () => {
  for (const [format, headers, body] of [
    ['slack', { 'retry-after': '120' }, 'rate_limited'],
    ['discord', {}, '{"message":"You are being rate limited.","retry_after":119.5,"global":false}'],
    ['telegram', {}, '{"ok":false,"error_code":429,"parameters":{"retry_after":120}}'],
  ] as const) {
    const { data: made } = await addChat(format)
    reply = { status: 429, headers, body }
    const before = Date.now()
    await api.send('POST', `/webhooks/${made.id}/test`)
    await deliver()
    const [delivery] = (await api.send<Delivery[]>('GET', `/webhooks/${made.id}/deliveries`)).data
    expect([format, delivery?.status, delivery?.statusCode]).toEqual([format, 'pending', 429])
    const waitMs = Date.parse(delivery?.nextAttemptAt ?? '') - before
    expect(waitMs).toBeGreaterThan(118_000)
    expect(waitMs).toBeLessThan(150_000)
  }
})
