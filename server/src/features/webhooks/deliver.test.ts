import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Egress } from '../../infra/egress/egress.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-workspace.ts'
import { deliverAll } from './deliver.ts'
import { listPromptWebhooks } from './prompt-webhooks.ts'
import { findDelivery, insertDeliveries } from './delivery.store.ts'
import { claimDeliveries } from './dispatch.store.ts'
import type { DeliveryRef } from './jobs.ts'
import { sealSecret } from './secret.ts'
import { insertWebhook } from './webhook.store.ts'

const url = 'https://hooks.example/'

let database: TestDatabase
let server: TestServer
/** What the endpoint answers. */
let status: number
/** Deliveries for which it answers something else, or waits until the test ends. */
const others = new Map<string, number | 'hangs'>()
const testEnd = Promise.withResolvers<void>()

beforeAll(async () => {
  database = await startDatabase()
  const egress: Egress = {
    async request({ headers }) {
      const answer = others.get(String(headers?.['x-webhook-delivery'])) ?? status
      if (answer === 'hangs') await testEnd.promise
      const code = answer === 'hangs' ? 200 : answer
      return { status: code, headers: {}, body: Buffer.from('words of the endpoint'), truncated: false, url }
    },
    open: () => Promise.reject(new Error('not used')),
    checkUrl: async () => ({ ok: true, url: new URL(url) }),
    close: async () => {},
  }
  server = openServer({ database, replace: { egress } })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

/** Deliveries of a new webhook, claimed for their first attempt. */
async function openDeliveries(count: number) {
  const { ctx } = server
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const at = new Date(ctx.nowMs())
  const key = { workspaceId, id: newId(ctx.nowMs()) }
  const ids = Array.from({ length: count }, newUuid)
  await ctx.db.tenant(workspaceId, async (tx) => {
    await insertWebhook(tx, {
      workspace_id: workspaceId,
      id: key.id,
      url,
      events: ['upload.failed'],
      secret_sealed: sealSecret(ctx, key, 'secret', 'a secret of the test'),
      secret_hint: 'test',
      active: true,
      created_at: at,
      updated_at: at,
    })
    await insertDeliveries(
      tx,
      ids.map((id) => ({ workspaceId, webhookId: key.id, id, event: 'upload.failed', url, body: '{}', at })),
    )
  })
  const claimed = await claimDeliveries(ctx.db.system, {
    horizonMs: 5_000,
    lostAfterMs: 60_000,
    perWebhook: 10,
    prompt: { webhookIds: [], perWebhook: 10 },
    limit: 100,
  })
  const refs = ids.flatMap((id) => claimed.filter((each) => each.deliveryId === id))
  const row = (id: string) => ctx.db.tenant(workspaceId, (tx) => findDelivery(tx, key, id))
  return { ctx, refs, row }
}

async function openDelivery() {
  const { ctx, refs, row } = await openDeliveries(1)
  const [ref] = refs
  if (!ref) throw new Error('the delivery was not claimed')
  return { ctx, ref, row: () => row(ref.deliveryId) }
}

test('guarantee: a delivery that was not accepted is tried again', async () => {
  const { ctx, ref, row } = await openDelivery()
  status = 500
  const [again, ...more] = await deliverAll(ctx, [ref])
  expect(more).toEqual([])
  expect(again?.delayMs).toBeGreaterThanOrEqual(9_000)
  expect(again?.delayMs).toBeLessThanOrEqual(11_000)
  expect(await row()).toMatchObject({ status: 'pending', tries: 1, status_code: 500, duration_ms: expect.any(Number) })
  expect(listPromptWebhooks(ctx)).not.toContain(ref.webhookId)
  status = 200
  expect(await deliverAll(ctx, [again?.payload as DeliveryRef])).toEqual([])
  expect(await row()).toMatchObject({ status: 'delivered', tries: 2 })
  expect(listPromptWebhooks(ctx)).toContain(ref.webhookId)
})

test('guarantee: a delivery that was accepted is not sent again', async () => {
  const { ctx, ref, row } = await openDelivery()
  status = 204
  expect(await deliverAll(ctx, [ref])).toEqual([])
  expect(await deliverAll(ctx, [ref])).toEqual([])
  expect(await row()).toMatchObject({ status: 'delivered', tries: 1 })
})

test('an endpoint that answers 410 gets no more', async () => {
  const { ctx, ref, row } = await openDelivery()
  status = 410
  expect(await deliverAll(ctx, [ref])).toEqual([])
  expect(await row()).toMatchObject({ status: 'failed', tries: 1 })
})

test('guarantee: in a run with several deliveries each has its own outcome, and one that hangs does not hold the others', async () => {
  const { ctx, refs, row } = await openDeliveries(4)
  const [first, refused, hanging, last] = refs
  if (!first || !refused || !hanging || !last) throw new Error('not all deliveries were claimed')
  status = 200
  others.set(refused.deliveryId, 503).set(hanging.deliveryId, 'hangs')
  const jobs = await deliverAll(ctx, refs)
  expect(jobs.map(({ payload }) => payload)).toMatchObject([{ deliveryId: refused.deliveryId }])
  expect(await row(first.deliveryId)).toMatchObject({ status: 'delivered', tries: 1 })
  expect(await row(refused.deliveryId)).toMatchObject({ status: 'pending', tries: 1, status_code: 503 })
  expect(await row(hanging.deliveryId)).toMatchObject({ status: 'pending', tries: 0 })
  expect(await row(last.deliveryId)).toMatchObject({ status: 'delivered', tries: 1 })
  expect(listPromptWebhooks(ctx)).not.toContain(first.webhookId)
  testEnd.resolve()
  await vi.waitFor(async () => expect(await row(hanging.deliveryId)).toMatchObject({ status: 'delivered', tries: 1 }))
})
