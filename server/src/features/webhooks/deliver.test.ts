import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Egress } from '../../infra/egress/egress.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-workspace.ts'
import { deliver } from './deliver.ts'
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

beforeAll(async () => {
  database = await startDatabase()
  const egress: Egress = {
    request: async () => ({ status, headers: {}, body: Buffer.from('words of the endpoint'), truncated: false, url }),
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

/** A delivery of a new webhook, claimed for its first attempt. */
async function openDelivery() {
  const { ctx } = server
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const at = new Date(ctx.nowMs())
  const key = { workspaceId, id: newId(ctx.nowMs()) }
  const deliveryId = newUuid()
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
    await insertDeliveries(tx, [{ workspaceId, webhookId: key.id, id: deliveryId, event: 'upload.failed', url, body: '{}', at }])
  })
  const claimed = await claimDeliveries(ctx.db.system, {
    horizonMs: 5_000,
    lostAfterMs: 60_000,
    perWebhook: 2,
    prompt: { webhookIds: [], perWebhook: 2 },
    limit: 100,
  })
  const ref = claimed.find((each) => each.deliveryId === deliveryId)
  if (!ref) throw new Error('the delivery was not claimed')
  const row = () => ctx.db.tenant(workspaceId, (tx) => findDelivery(tx, key, deliveryId))
  return { ctx, ref, row }
}

test('guarantee: a delivery that was not accepted is tried again', async () => {
  const { ctx, ref, row } = await openDelivery()
  status = 500
  const [again, ...others] = await deliver(ctx, ref)
  expect(others).toEqual([])
  expect(again?.delayMs).toBeGreaterThanOrEqual(9_000)
  expect(again?.delayMs).toBeLessThanOrEqual(11_000)
  expect(await row()).toMatchObject({ status: 'pending', tries: 1, status_code: 500, duration_ms: expect.any(Number) })
  expect(listPromptWebhooks(ctx)).not.toContain(ref.webhookId)
  status = 200
  expect(await deliver(ctx, again?.payload as DeliveryRef)).toEqual([])
  expect(await row()).toMatchObject({ status: 'delivered', tries: 2 })
  expect(listPromptWebhooks(ctx)).toContain(ref.webhookId)
})

test('guarantee: a delivery that was accepted is not sent again', async () => {
  const { ctx, ref, row } = await openDelivery()
  status = 204
  expect(await deliver(ctx, ref)).toEqual([])
  expect(await deliver(ctx, ref)).toEqual([])
  expect(await row()).toMatchObject({ status: 'delivered', tries: 1 })
})

test('an endpoint that answers 410 gets no more', async () => {
  const { ctx, ref, row } = await openDelivery()
  status = 410
  expect(await deliver(ctx, ref)).toEqual([])
  expect(await row()).toMatchObject({ status: 'failed', tries: 1 })
})
