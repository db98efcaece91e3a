import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-workspace.ts'
import { findAttempts, findDeliveries, insertDeliveries, settleDelivery, trimDeliveries } from './delivery.store.ts'
import { claimDeliveries, releaseDeliveries } from './dispatch.store.ts'
import type { DeliveryRef } from './jobs.ts'
import { sealSecret } from './secret.ts'
import { findSubscribers, insertWebhook } from './webhook.store.ts'

let database: TestDatabase
let server: TestServer

beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database })
}, 60_000)
afterAll(async () => {
  await server.close()
  await database.stop()
})

const limits = { horizonMs: 5_000, lostAfterMs: 60_000, perWebhook: 2, limit: 100 }

/** A webhook in a new workspace, with this many deliveries that are due. */
async function open(count: number) {
  const { ctx } = server
  const { workspaceId } = await setUpWorkspace(ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
  const at = new Date(ctx.nowMs())
  const key = { workspaceId, id: newId(ctx.nowMs()) }
  const url = 'https://hooks.example/'
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
    const delivery = { workspaceId, webhookId: key.id, event: 'upload.failed', url, body: '{}', at }
    await insertDeliveries(
      tx,
      Array.from({ length: count }, () => ({ ...delivery, id: newUuid() })),
    )
  })
  const claim = async ({ isPrompt = false } = {}) => {
    const prompt = { webhookIds: isPrompt ? [key.id] : [], perWebhook: 3 }
    const claimed = await claimDeliveries(ctx.db.system, { ...limits, prompt })
    return claimed.filter((ref) => ref.workspaceId === workspaceId)
  }
  const settle = (ref: DeliveryRef, status: 'delivered' | 'failed') =>
    ctx.db.tenant(workspaceId, (tx) => {
      const deliveredAt = status === 'delivered' ? at : null
      return settleDelivery(tx, ref, {
        status,
        url,
        statusCode: 200,
        responseBody: 'ok',
        deliveredAt,
        nextAttemptAt: null,
        durationMs: 5,
      })
    })
  const list = () => ctx.db.tenant(workspaceId, (tx) => findDeliveries(tx, key, 100))
  return { ctx, key, claim, settle, list }
}

/** Guarantee: an endpoint that hangs cannot occupy more than its share of the engine. */
test('no more deliveries of a webhook are in progress than its limit', async () => {
  const { claim, settle } = await open(3)
  const [first, ...others] = await claim()
  if (!first) throw new Error('nothing was claimed')
  expect(others).toHaveLength(1)
  expect(await claim()).toEqual([])
  expect(await settle(first, 'delivered')).toMatchObject({ hasWaiting: true })
  expect(await claim()).toHaveLength(1)
})

test('more deliveries of a webhook are in progress if its endpoint answers promptly', async () => {
  const { claim } = await open(5)
  expect(await claim()).toHaveLength(2)
  expect(await claim({ isPrompt: true })).toHaveLength(1)
  expect(await claim({ isPrompt: true })).toEqual([])
})

/** Guarantee: a job from an earlier claim cannot send or settle a delivery. */
test('a released delivery is claimed again, and the earlier reference is stale', async () => {
  const { ctx, key, claim, settle } = await open(1)
  const [early] = await claim()
  if (!early) throw new Error('nothing was claimed')
  await releaseDeliveries(ctx.db.system, [early])
  const [late] = await claim()
  if (!late) throw new Error('nothing was claimed again')
  expect(late.deliveryId).toBe(early.deliveryId)
  const find = (ref: DeliveryRef) =>
    ctx.db.tenant(key.workspaceId, (tx) => findAttempts(tx, key, [ref])).then((found) => found.get(ref.deliveryId))
  expect(await find(early)).toBeUndefined()
  expect(await settle(early, 'failed')).toBeUndefined()
  expect(await find(late)).toMatchObject({ event: 'upload.failed', tries: 0 })
})

test('old deliveries are deleted, but not while they are pending', async () => {
  const { ctx, key, claim, settle, list } = await open(4)
  for (const ref of await claim()) await settle(ref, 'delivered')
  await ctx.db.tenant(key.workspaceId, (tx) => trimDeliveries(tx, key, 1))
  const rows = await list()
  expect(rows.filter(({ status }) => status === 'pending')).toHaveLength(2)
  expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(1)
})

test('only webhooks that are subscribed to one of the events are found', async () => {
  const { ctx, key } = await open(0)
  const find = (event: 'upload.failed' | 'upload.completed') =>
    ctx.db.system.transaction().execute((tx) => findSubscribers(tx, [key.workspaceId], [event]))
  expect((await find('upload.failed')).map(({ id }) => id)).toEqual([key.id])
  expect(await find('upload.completed')).toEqual([])
})
