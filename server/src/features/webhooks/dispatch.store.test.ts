import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { countDiscardedRows } from '../../infra/db/count-pages.fixture.ts'
import type { Tx } from '../../infra/db/db.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { findAttempts, findDeliveries, insertDeliveries, settleDeliveries, trimDeliveries } from './delivery.store.ts'
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
async function open(dueCount: number) {
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
  })
  const add = (count: number) => {
    const delivery = { workspaceId, webhookId: key.id, event: 'upload.failed', url, body: '{}', at }
    const deliveries = Array.from({ length: count }, () => ({ ...delivery, id: newUuid() }))
    return ctx.db.tenant(workspaceId, (tx) => insertDeliveries(tx, deliveries))
  }
  await add(dueCount)
  const claim = async ({ isPrompt = false } = {}) => {
    const prompt = { webhookIds: isPrompt ? [key.id] : [], perWebhook: 3 }
    const { claimed } = await claimDeliveries(ctx.db.system, { ...limits, prompt, after: null })
    return claimed.filter((ref) => ref.workspaceId === workspaceId)
  }
  const settle = (ref: DeliveryRef, status: 'delivered' | 'failed') =>
    ctx.db.tenant(workspaceId, (tx) => {
      const deliveredAt = status === 'delivered' ? at : null
      const answer = { url, statusCode: 200, responseBody: 'ok', deliveredAt, nextAttemptAt: null, durationMs: 5 }
      return settleDeliveries(tx, key, [{ ref, settlement: { status, ...answer } }])
    })
  const list = () => ctx.db.tenant(workspaceId, (tx) => findDeliveries(tx, key, 100))
  return { ctx, key, add, claim, settle, list }
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

/** Guarantee: with very many webhooks a claim costs no more than with some, and each webhook has its turn. */
test('a claim looks at a limited number of webhooks, and the next one continues after them', async () => {
  await server.ctx.db.system.deleteFrom('webhook_delivery').execute()
  const opened = [await open(4), await open(4), await open(2), await open(1)]
  const [first, second, third, fourth] = opened
    .map(({ key }) => key)
    .toSorted((a, b) => (a.workspaceId < b.workspaceId ? -1 : a.workspaceId > b.workspaceId ? 1 : 0))
  const none = { webhookIds: [], perWebhook: 0 }
  const claim = async (after: typeof first | null) => {
    const claimed = await claimDeliveries(server.ctx.db.system, { ...limits, prompt: none, limit: 2, after: after ?? null })
    return { webhookIds: claimed.claimed.map(({ webhookId }) => webhookId).toSorted(), end: claimed.end }
  }
  // One for each, although the oldest two may be of the same webhook.
  expect(await claim(null)).toEqual({ webhookIds: [first?.id, second?.id].toSorted(), end: second })
  expect(await claim(second)).toEqual({ webhookIds: [third?.id, fourth?.id].toSorted(), end: fourth })
  const rest = await claim(fourth)
  expect(rest).toEqual({ webhookIds: [], end: null })
})

/** What the planner of PostgreSQL believes of the deliveries is from now on what is true at this moment. */
async function analyze(): Promise<void> {
  const owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  await owner.query('analyze webhook_delivery')
  await owner.end()
}

/** Guarantee: after a quiet hour, the deliveries of a burst are as fast as any. Statistics say of such a moment that nothing waits. */
test('a claim compares no delivery with every other one when the statistics are of a time without deliveries', async () => {
  const { ctx, key, add, claim, settle } = await open(2)
  await ctx.db.system.deleteFrom('webhook_delivery').where('workspace_id', '<>', key.workspaceId).execute()
  for (const ref of await claim()) await settle(ref, 'delivered')
  await analyze()
  await add(2000)
  const prompt = { webhookIds: [key.id], perWebhook: 200 }
  const discarded = await countDiscardedRows(ctx.db.system, (db) =>
    claimDeliveries(db, { ...limits, limit: 500, prompt, after: null }),
  )
  expect(discarded).toBeLessThan(4000)
})

test('a trim compares no delivery with every other one when the statistics are of an empty table', async () => {
  const { ctx, key, add } = await open(0)
  await ctx.db.system.deleteFrom('webhook_delivery').execute()
  await analyze()
  await add(1000)
  await ctx.db.system.updateTable('webhook_delivery').set({ status: 'delivered' }).execute()
  const discarded = await countDiscardedRows(ctx.db.system, (db) => trimDeliveries(db as Tx, key, 100))
  expect(discarded).toBeLessThan(4000)
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
  expect((await settle(early, 'failed')).generations.size).toBe(0)
  expect(await find(late)).toMatchObject({ event: 'upload.failed', tries: 0 })
})

test('guarantee: old deliveries are deleted, but not while they are pending, however old they are', async () => {
  const { ctx, key, claim, settle, list } = await open(4)
  const [oldest, older] = (await list()).map(({ id }) => id).toSorted()
  const waiting = [oldest ?? '', older ?? '']
  const later = new Date(Date.now() + 60_000)
  await ctx.db.system.updateTable('webhook_delivery').where('id', 'in', waiting).set({ next_attempt_at: later }).execute()
  for (const ref of await claim()) await settle(ref, 'delivered')
  // Not before there are twice as many as are kept.
  await ctx.db.tenant(key.workspaceId, (tx) => trimDeliveries(tx, key, 2))
  expect(await list()).toHaveLength(4)
  await ctx.db.tenant(key.workspaceId, (tx) => trimDeliveries(tx, key, 1))
  const rows = await list()
  expect(
    rows
      .filter(({ status }) => status === 'pending')
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(waiting)
  expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(1)
})

test('guarantee: a delivery whose worker died is claimed again, once', async () => {
  const { ctx, claim, list } = await open(1)
  const [first] = await claim()
  const claimedAt = async (agoMs: number) => {
    const at = new Date(Date.now() - agoMs)
    const ids = (await list()).map(({ id }) => id)
    const times = { claimed_at: at, next_attempt_at: at }
    await ctx.db.system.updateTable('webhook_delivery').where('id', 'in', ids).set(times).execute()
  }
  await claimedAt(limits.lostAfterMs / 2)
  expect(await claim()).toEqual([])
  await claimedAt(limits.lostAfterMs * 2)
  const [second] = await claim()
  expect(second?.deliveryId).toBe(first?.deliveryId)
  expect(second?.generation).toBeGreaterThan(first?.generation ?? Infinity)
  expect(await claim()).toEqual([])
})

test('guarantee: outcomes that are stored together stay with their own deliveries', async () => {
  const { ctx, key, claim, list } = await open(3)
  const refs = await claim({ isPrompt: true })
  const at = (n: number) => new Date(Date.UTC(2027, 0, n + 1))
  const settlements = [
    { status: 'delivered', statusCode: 200, responseBody: 'thanks', deliveredAt: at(0), nextAttemptAt: null, durationMs: 5 },
    { status: 'pending', statusCode: 503, responseBody: 'later', deliveredAt: null, nextAttemptAt: at(1), durationMs: 50 },
    { status: 'failed', statusCode: 410, responseBody: 'gone', deliveredAt: null, nextAttemptAt: null, durationMs: 500 },
  ] as const
  const outcomes = settlements.map((settlement, n) => {
    const ref = refs[n]
    if (!ref) throw new Error('not all deliveries were claimed')
    return { ref, settlement: { ...settlement, url: `https://hooks.example/${n}` } }
  })
  await ctx.db.tenant(key.workspaceId, (tx) => settleDeliveries(tx, key, outcomes))
  const rows = new Map((await list()).map((row) => [row.id, row]))
  for (const { ref, settlement } of outcomes)
    expect(rows.get(ref.deliveryId)).toMatchObject({
      status: settlement.status,
      url: settlement.url,
      status_code: settlement.statusCode,
      response_body: settlement.responseBody,
      delivered_at: settlement.deliveredAt,
      next_attempt_at: settlement.nextAttemptAt,
      duration_ms: settlement.durationMs,
    })
})

test('only webhooks that are subscribed to one of the events are found', async () => {
  const { ctx, key } = await open(0)
  const find = (event: 'upload.failed' | 'upload.completed') =>
    ctx.db.system.transaction().execute((tx) => findSubscribers(tx, [key.workspaceId], [event]))
  expect((await find('upload.failed')).map(({ id }) => id)).toEqual([key.id])
  expect(await find('upload.completed')).toEqual([])
})
