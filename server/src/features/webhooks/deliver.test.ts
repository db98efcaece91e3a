import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import type { Egress } from '../../infra/egress/egress.ts'
import { newId, newUuid } from '../../infra/db/ids.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { deliverAll, runPlaces } from './deliver.ts'
import { listPromptWebhooks } from './prompt-webhooks.ts'
import { findDelivery, insertDeliveries, resetDelivery } from './delivery.store.ts'
import { claimDeliveries } from './dispatch.store.ts'
import type { DeliveryRef } from './jobs.ts'
import { sealSecret } from './secret.ts'
import { insertWebhook } from './webhook.store.ts'

const url = 'https://hooks.example/'

let database: TestDatabase
let server: TestServer
/** What the endpoint answers. */
let status: number
/** What it was sent, by delivery. */
const sentHeaders = new Map<string, Record<string, unknown>>()
/** Deliveries for which it answers something else, answers after the run has ended, or waits until the test ends. */
const others = new Map<string, number | 'late' | 'hangs'>()
const testEnd = Promise.withResolvers<void>()

beforeAll(async () => {
  database = await startDatabase()
  const egress: Egress = {
    async request({ headers }) {
      sentHeaders.set(String(headers?.['x-webhook-delivery']), { ...headers })
      const answer = others.get(String(headers?.['x-webhook-delivery'])) ?? status
      if (answer === 'hangs') await testEnd.promise
      if (answer === 'late') await sleep(300)
      const code = typeof answer === 'number' ? answer : 200
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
  const { claimed } = await claimDeliveries(ctx.db.system, {
    horizonMs: 5_000,
    lostAfterMs: 60_000,
    perWebhook: 10,
    prompt: { webhookIds: [], perWebhook: 10 },
    limit: 100,
    after: null,
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

test.each([302, 304, 404])('an answer with %d is no success: nobody has received the event', async (code) => {
  const { ctx, ref, row } = await openDelivery()
  status = code
  expect(await deliverAll(ctx, [ref])).toHaveLength(1)
  expect(await row()).toMatchObject({ status: 'pending', tries: 1, status_code: code })
})

test('guarantee: a delivery that was accepted is not sent again', async () => {
  const { ctx, ref, row } = await openDelivery()
  status = 204
  expect(await deliverAll(ctx, [ref])).toEqual([])
  expect(await deliverAll(ctx, [ref])).toEqual([])
  expect(await row()).toMatchObject({ status: 'delivered', tries: 1 })
})

test('guarantee: a delivery that used up its tries has all of them again after a redelivery', async () => {
  const { ctx, ref, row } = await openDelivery()
  const { workspaceId, webhookId, deliveryId } = ref
  await ctx.db.system.updateTable('webhook_delivery').where('id', '=', deliveryId).set({ tries: 5 }).execute()
  status = 500
  expect(await deliverAll(ctx, [ref])).toEqual([])
  expect(await row()).toMatchObject({ status: 'failed', tries: 6 })
  const reset = { deliveryId, url, at: new Date(ctx.nowMs()) }
  const again = await ctx.db.tenant(workspaceId, (tx) => resetDelivery(tx, { workspaceId, id: webhookId }, reset))
  const [retry] = await deliverAll(ctx, [{ ...ref, generation: again?.generation ?? 0 }])
  expect(retry?.delayMs).toBeGreaterThanOrEqual(9_000)
  expect(retry?.delayMs).toBeLessThanOrEqual(11_000)
  expect(await row()).toMatchObject({ status: 'pending', tries: 1 })
})

test('guarantee: after a rotation the previous secret signs until its time is over, and not longer', async () => {
  const signedWithPrevious = async (untilMs: number) => {
    const { ctx, ref } = await openDelivery()
    const { workspaceId, webhookId, deliveryId } = ref
    const key = { workspaceId, id: webhookId }
    const previous = {
      previous_secret_sealed: sealSecret(ctx, key, 'previous_secret', 'the secret before'),
      previous_secret_until: new Date(ctx.nowMs() + untilMs),
    }
    await ctx.db.system.updateTable('webhook').where('id', '=', webhookId).set(previous).execute()
    status = 200
    await deliverAll(ctx, [ref])
    return 'x-webhook-signature-previous' in (sentHeaders.get(deliveryId) ?? {})
  }
  expect([await signedWithPrevious(60_000), await signedWithPrevious(-1_000)]).toEqual([true, false])
})

test('an endpoint that answers 410 gets no more', async () => {
  const { ctx, ref, row } = await openDelivery()
  status = 410
  expect(await deliverAll(ctx, [ref])).toEqual([])
  expect(await row()).toMatchObject({ status: 'failed', tries: 1 })
})

/** Guarantee: one workspace never holds more than its share of the engine's places, however many of its endpoints are slow. */
test('few runs of a workspace wait for its endpoints, all others end at once, and what they are answered is stored', async () => {
  const { ctx, refs, row } = await openDeliveries(8)
  for (const { deliveryId } of refs) others.set(deliveryId, 'late')
  const places = runPlaces(ctx)
  const takeFive = () => Array.from({ length: 5 }, () => places.take(refs[0]?.workspaceId ?? ''))
  const deliver = async (some: readonly DeliveryRef[]) => {
    const beganMs = performance.now()
    for (const ref of some) expect(await deliverAll(ctx, [ref])).toEqual([])
    return performance.now() - beganMs
  }
  const held = takeFive()
  expect(held.map((free) => free !== null)).toEqual([true, true, true, true, false])
  const withoutPlaceMs = await deliver(refs.slice(0, 4))
  // Another workspace still waits.
  const other = await openDelivery()
  status = 200
  await deliverAll(other.ctx, [other.ref])
  expect(await other.row()).toMatchObject({ status: 'delivered' })
  for (const free of held) free?.()
  // Each of these waits for 250 ms.
  expect(await deliver(refs.slice(4))).toBeGreaterThan(withoutPlaceMs + 500)
  for (const { deliveryId } of refs)
    await vi.waitFor(async () => expect(await row(deliveryId)).toMatchObject({ status: 'delivered', tries: 1 }), 10_000)
  // A run that has ended has freed its place.
  expect(takeFive().map((free) => free !== null)).toEqual([true, true, true, true, false])
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

/** Guarantee: a burst does not slow its own deliveries down because this process is busy and reads the responses late. */
test('an endpoint that accepts everything within two seconds gets more deliveries at a time', async () => {
  const { ctx, ref, row } = await openDelivery()
  others.set(ref.deliveryId, 'late')
  expect(await deliverAll(ctx, [ref])).toEqual([])
  expect(listPromptWebhooks(ctx)).not.toContain(ref.webhookId)
  await vi.waitFor(async () => expect(await row()).toMatchObject({ status: 'delivered', tries: 1 }), 10_000)
  expect(listPromptWebhooks(ctx)).toContain(ref.webhookId)
})

/** Guarantee: a worker that is so busy that it reads most responses late does not need a transaction for each of them. */
test('responses that arrive late together are stored together', async () => {
  const { ctx, refs, row } = await openDeliveries(10)
  for (const { deliveryId } of refs) others.set(deliveryId, 'late')
  expect(await deliverAll(ctx, refs)).toEqual([])
  const rows = async () => Promise.all(refs.map(({ deliveryId }) => row(deliveryId)))
  await vi.waitFor(
    async () => expect(new Set((await rows()).map((each) => each?.status))).toEqual(new Set(['delivered'])),
    10_000,
  )
  const { rows: written } = await sql<{ transactions: number }>`
    select count(distinct xmin::text)::int as transactions
    from webhook_delivery
    where webhook_id = ${refs[0]?.webhookId}`.execute(ctx.db.system)
  expect(written[0]?.transactions).toBeLessThan(5)
})
