import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Webhook } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { findAttempts, findDelivery } from './delivery.store.ts'
import { sealSecret } from './secret.ts'
import { settleAttempts } from './settle-attempt.ts'
import { webhookRoutes } from './webhook.routes.ts'
import { insertWebhook } from './webhook.store.ts'

let api: PostApi
let dir: string
let webhookId: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-redeliver-'))
  api = await PostApi.start(dir, { routes: [webhookRoutes] })
}, 60_000)
beforeEach(async () => {
  await api.openWorkspace()
  webhookId = await addWebhook('https://hooks.example/new')
})
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function addWebhook(url: string): Promise<string> {
  const { ctx, workspaceId } = api
  const id = newId(ctx.nowMs())
  const at = new Date(ctx.nowMs())
  await ctx.db.tenant(workspaceId, (tx) =>
    insertWebhook(tx, {
      workspace_id: workspaceId,
      id,
      url,
      events: ['upload.failed'],
      secret_sealed: sealSecret(ctx, { workspaceId, id }, 'secret', 'a secret of the test'),
      secret_hint: 'test',
      active: true,
      created_at: at,
      updated_at: at,
    }),
  )
  return id
}

type Row = { status: 'pending' | 'delivered' | 'failed'; ageMs?: number; tries?: number }

async function addDelivery({ status, ageMs = 0, tries = 6 }: Row): Promise<string> {
  const id = newUuid()
  const row = { url: 'https://hooks.example/old', body: '{}', status_code: 503, response_body: 'down', attempts: tries, tries }
  await api.ctx.db.system
    .insertInto('webhook_delivery')
    .values({
      ...row,
      workspace_id: api.workspaceId,
      webhook_id: webhookId,
      id,
      event: 'upload.failed',
      status,
      created_at: new Date(Date.now() - ageMs),
      next_attempt_at: status === 'pending' ? new Date() : null,
    })
    .execute()
  return id
}

const find = (id: string) =>
  api.ctx.db.tenant(api.workspaceId, (tx) => findDelivery(tx, { workspaceId: api.workspaceId, id: webhookId }, id))

const resend = (body?: object) => api.send<{ redelivered: number }>('POST', `/webhooks/${webhookId}/redeliver-failed`, body)

test('all failed deliveries since a time are sent again, to the address that the webhook has now', async () => {
  const [old, recent] = [await addDelivery({ status: 'failed', ageMs: 7_200_000 }), await addDelivery({ status: 'failed' })]
  const others = [await addDelivery({ status: 'delivered' }), await addDelivery({ status: 'pending', tries: 2 })]
  const since = new Date(Date.now() - 3_600_000).toISOString()
  expect((await resend({ since })).data).toEqual({ redelivered: 1 })
  expect(await find(recent)).toMatchObject({ status: 'pending', tries: 0, url: 'https://hooks.example/new', generation: 1 })
  expect(await find(old)).toMatchObject({ status: 'failed' })
  for (const other of others) expect(await find(other)).toMatchObject({ generation: 0, url: 'https://hooks.example/old' })
  expect((await resend()).data).toEqual({ redelivered: 1 })
  expect(await find(old)).toMatchObject({ status: 'pending' })
  expect((await resend({})).data).toEqual({ redelivered: 0 })
  expect((await resend({ since: 'yesterday' })).status).toBe(422)
})

test('guarantee: deliveries of another webhook are not sent again, and never to this one', async () => {
  const [chosen, id] = [webhookId, await addDelivery({ status: 'failed' })]
  webhookId = await addWebhook('https://other.example/')
  const other = await addDelivery({ status: 'failed' })
  for (const since of [undefined, new Date(0).toISOString()]) {
    const { data } = await api.send<{ redelivered: number }>('POST', `/webhooks/${chosen}/redeliver-failed`, { since })
    expect(data).toEqual({ redelivered: since === undefined ? 1 : 0 })
  }
  expect(await find(other)).toMatchObject({ status: 'failed', url: 'https://hooks.example/old', generation: 0 })
  webhookId = chosen
  expect(await find(id)).toMatchObject({ status: 'pending' })
})

test('guarantee: deliveries of another workspace are not sent again', async () => {
  const id = await addDelivery({ status: 'failed' })
  const { workspaceId } = api
  await api.openWorkspace()
  const reply = await resend()
  expect([reply.status, reply.error?.code]).toEqual([404, 'webhook_not_found'])
  api.workspaceId = workspaceId
  expect(await find(id)).toMatchObject({ status: 'failed' })
})

/** Lets the sixth attempt at a delivery fail. */
async function failSixth(): Promise<{ status?: string; waitMs: number }> {
  const { ctx, workspaceId } = api
  const id = await addDelivery({ status: 'pending', tries: 5 })
  const key = { workspaceId, id: webhookId }
  const ref = { workspaceId, webhookId, deliveryId: id, generation: 0 }
  const attempts = await ctx.db.tenant(workspaceId, (tx) => findAttempts(tx, key, [ref]))
  const attempt = attempts.get(id)
  if (!attempt) throw new Error('the delivery is not pending')
  await settleAttempts(ctx, key, [{ ref, attempt, outcome: { kind: 'answered', statusCode: 503, text: '', durationMs: 1 } }])
  const row = await find(id)
  return { ...(row && { status: row.status }), waitMs: (row?.next_attempt_at?.getTime() ?? 0) - Date.now() }
}

test('a webhook can choose to be tried for a day, and to be tried for minutes again', async () => {
  const change = (body: object) => api.send<Webhook>('PATCH', `/webhooks/${webhookId}`, body)
  expect(await failSixth()).toMatchObject({ status: 'failed' })
  expect((await change({ retries: 'day' })).data).toMatchObject({ retries: 'day' })
  const { status, waitMs } = await failSixth()
  expect([status, waitMs > 280_000, waitMs < 360_000]).toEqual(['pending', true, true])
  expect((await change({ retries: 'short' })).data).not.toHaveProperty('retries')
  expect(await failSixth()).toMatchObject({ status: 'failed' })
  expect((await change({ retries: 'week' })).status).toBe(422)
})
