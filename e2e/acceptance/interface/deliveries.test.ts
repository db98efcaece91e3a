import { createHmac } from 'node:crypto'
import { verifyWebhook, type Delivery, type Webhook } from '@carillon/sdk'
import { freePort } from '@carillon/stack/services'
import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { createPost } from '../../support/posts.ts'
import { queryDatabase } from '../../support/query-database.ts'
import { useWebhookReceiver } from '../../support/webhook-receiver.ts'
import { bluesky, testStack, uniqueText, waitUntilFinished } from '../../test-stack.ts'

const receiver = useWebhookReceiver()

const hmac = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
const logOf = (id: string) => callData<Delivery[]>(`GET /webhooks/${id}/deliveries`)
const newPath = (name: string) => `/${uniqueText(name).replace(' ', '-')}`

async function hook(path: string, events: string[], more: Record<string, unknown> = {}): Promise<Webhook> {
  return callData<Webhook>('POST /webhooks', { body: { url: receiver.url(path), events, ...more } })
}

/** Waits until a delivery in the log of a webhook matches. */
async function logged(webhookId: string, deliveryId: string, matches: (entry: Delivery) => boolean, timeoutMs = 15_000) {
  let entry: Delivery | undefined
  await expect
    .poll(
      async () => {
        entry = (await logOf(webhookId)).find(({ id }) => id === deliveryId)
        return entry !== undefined && matches(entry)
      },
      { timeout: timeoutMs },
    )
    .toBe(true)
  if (!entry) throw new Error('the delivery is not in the log')
  return entry
}

describe('a delivery', () => {
  rows(
    async () => {
      const [path, secret] = [newPath('all'), 'a secret of my own']
      const made = await hook(path, ['upload.completed', 'upload.failed', 'upload.partial_failure'], { secret })
      const quiet = newPath('quiet')
      await hook(quiet, ['upload.failed'])
      const { uploadId } = (await createPost({ title: 'Told' })).data
      const received = await receiver.waitFor(path, (body) => body.includes(uploadId))
      const id = received.headers['x-webhook-delivery'] ?? ''
      const entry = await logged(made.id, id, ({ status }) => status === 'delivered')
      return { path, quiet, secret, made, uploadId, received, id, entry }
    },
    {
      'I 1 webhooks': ({ received, uploadId }) => expect(received.body).toContain(uploadId),
      'I 6 upload.completed': ({ received }) => expect(JSON.parse(received.body)).toMatchObject({ event: 'upload.completed' }),
      'I 6.1': ({ received, quiet }) => {
        expect(() => void JSON.parse(received.body)).not.toThrow()
        expect(receiver.received(quiet)).toEqual([])
      },
      'I 6.2 Content-Type': ({ received }) => expect(received.headers['content-type']).toMatch(/^application\/json/),
      'I 6.2 X-Webhook-Event': ({ received }) => expect(received.headers['x-webhook-event']).toBe('upload.completed'),
      'I 6.2 X-Webhook-Signature': ({ received, secret }) =>
        expect(received.headers['x-webhook-signature']).toBe(hmac(secret, received.body)),
      'I 6.2 X-Webhook-Delivery': ({ id }) => expect(id).toMatch(/^[0-9a-f-]{36}$/),
      'I 6.3': ({ received, id }) => expect(JSON.parse(received.body)).toMatchObject({ deliveryId: id }),
      'I 6.10': ({ entry, id }) => expect(entry.id).toBe(id),
      'I 2 Delivery id': ({ entry }) => expect(entry.id).toMatch(/^[0-9a-f-]{36}$/),
      'I 2 Delivery event': ({ entry }) => expect(entry.event).toBe('upload.completed'),
      'I 2 Delivery url': ({ entry, path }) => expect(entry.url).toBe(receiver.url(path)),
      'I 2 Delivery statusCode': ({ entry }) => expect(entry.statusCode).toBe(200),
      'I 2 Delivery deliveredAt': ({ entry }) => expect(entry.deliveredAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
      'I 2 Delivery attempts': ({ entry }) => expect(entry.attempts).toBe(1),
      'I 2 Delivery responseBody': ({ entry }) => expect(entry.responseBody).toBe('thanks'),
      'D 11 body': async ({ received, uploadId, id }) => {
        const { requestId, status, type, channels, scheduledAt, createdAt } = await waitUntilFinished(uploadId)
        expect(JSON.parse(received.body)).toEqual({
          event: 'upload.completed',
          deliveryId: id,
          timestamp: expect.any(String),
          workspaceId: testStack.workspaceId,
          data: { requestId, uploadId, status, type, channels, scheduledAt, createdAt },
        })
      },
      'D 11 standard headers': async ({ received, secret, id }) => {
        expect(received.headers['webhook-id']).toBe(id)
        const signed = `${id}.${received.headers['webhook-timestamp']}.${received.body}`
        const expected = `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`
        expect(received.headers['webhook-signature']?.split(' ')).toContain(expected)
      },
      'D 12 secrets': async ({ received, secret }) => {
        expect(received.headers['x-webhook-signature']).toBe(hmac(secret, received.body))
        for (const bad of ['a'.repeat(15), 'a'.repeat(257)]) {
          const body = { url: receiver.url('/never'), events: ['upload.failed'], secret: bad }
          expect((await call('POST /webhooks', { body })).status).toBe(422)
        }
      },
      'D 11 rotate-secret': async ({ made, secret, path, id }) => {
        const rotated = { secret: String((await callData<Webhook>(`POST /webhooks/${made.id}/rotate-secret`)).secret) }
        await callData(`POST /webhooks/${made.id}/deliveries/${id}/redeliver`)
        const again = await receiver.waitFor(path, (body, nth) => nth > 1 && body.includes(id))
        expect(again.headers['x-webhook-signature']).toBe(hmac(rotated.secret, again.body))
        expect(again.headers['x-webhook-signature-previous']).toBe(hmac(secret, again.body))
        for (const each of [rotated.secret, secret])
          await expect(verifyWebhook({ body: again.body, headers: again.headers, secret: each })).resolves.toMatchObject({
            deliveryId: id,
          })
      },
      'D 11 redeliver': async ({ path, id, made }) => {
        const all = receiver.received(path).filter(({ body }) => body.includes(id))
        expect(all.map(({ headers }) => headers['x-webhook-delivery'])).toEqual([id, id])
        expect(await logged(made.id, id, ({ attempts }) => attempts === 2)).toMatchObject({ status: 'delivered' })
      },
      'I 6 upload.failed': async ({ path }) => {
        const { uploadId } = (await createPost({ connections: [testStack.failConnection] })).data
        const received = await receiver.waitFor(path, (body) => body.includes(uploadId))
        expect(received.headers['x-webhook-event']).toBe('upload.failed')
      },
      'I 6 upload.partial_failure': async ({ path }) => {
        const { uploadId } = (await createPost({ connections: [bluesky, testStack.failConnection] })).data
        const received = await receiver.waitFor(path, (body) => body.includes(uploadId))
        expect(received.headers['x-webhook-event']).toBe('upload.partial_failure')
      },
      'I 6.8': ({ path }) => {
        const events = new Set(receiver.received(path).map(({ headers }) => headers['x-webhook-event']))
        expect([...events].toSorted()).toEqual(['upload.completed', 'upload.failed', 'upload.partial_failure'])
      },
    },
  )

  row('D 11 test', async () => {
    const path = newPath('test')
    const { id } = await hook(path, ['upload.failed'])
    const sent = await callData<Delivery>(`POST /webhooks/${id}/test`)
    const received = await receiver.waitFor(path, (body) => body.includes(sent.id))
    expect(received.headers['x-webhook-event']).toBe('webhook.test')
  })

  row('D 11 responseBody', async () => {
    const path = newPath('talkative')
    receiver.setReply(path, () => ({ status: 200, body: 'é'.repeat(10_000) }))
    const { id } = await hook(path, ['upload.failed'])
    const sent = await callData<Delivery>(`POST /webhooks/${id}/test`)
    const { responseBody } = await logged(id, sent.id, ({ status }) => status === 'delivered')
    expect([Buffer.byteLength(responseBody), responseBody.slice(0, 3)]).toEqual([4096, 'ééé'])
  })

  row('I 8 retained deliveries', async () => {
    const path = newPath('many')
    const { id } = await hook(path, ['upload.failed'])
    for (let n = 0; n < 11; n++) await Promise.all(Array.from({ length: 10 }, () => callData(`POST /webhooks/${id}/test`)))
    await expect
      .poll(async () => (await logOf(id)).filter(({ status }) => status === 'delivered').length, { timeout: 40_000 })
      .toBe(100)
    await expect.poll(() => receiver.received(path).length).toBe(110)
    expect(await logOf(id)).toHaveLength(100)
  })
})

describe('a delivery that fails', () => {
  /** All of the deliveries start at the same time, because each takes the time of its own retries. */
  rows(
    async () => {
      const paths = {
        flaky: newPath('flaky'),
        slow: newPath('slow'),
        moved: newPath('moved'),
        gone: newPath('gone'),
        kept: newPath('kept'),
      }
      receiver.setReply(paths.flaky, (nth) => ({ status: nth < 3 ? 500 : 204 }))
      receiver.setReply(paths.slow, (nth) => ({ status: 200, delayMs: nth === 1 ? 11_500 : 0 }))
      receiver.setReply(paths.moved, () => ({ status: 302, headers: { location: receiver.url('/elsewhere') } }))
      receiver.setReply(paths.gone, () => ({ status: 410 }))
      receiver.setReply(paths.kept, () => ({ status: 202, delayMs: 6000 }))
      const entries = Object.entries(paths).map(async ([name, path]) => {
        const { id } = await hook(path, ['connection.needs_reconnect'])
        const sent = await callData<Delivery>(`POST /webhooks/${id}/test`)
        return [name, { path, hookId: id, deliveryId: sent.id }] as const
      })
      return Object.fromEntries(await Promise.all(entries))
    },
    {
      'D 11 410': async ({ gone }) => {
        if (!gone) throw new Error('not sent')
        await logged(gone.hookId, gone.deliveryId, ({ statusCode }) => statusCode === 410)
        await expect
          .poll(() => callData<Webhook>(`GET /webhooks/${gone.hookId}`))
          .toMatchObject({ active: false, disabledReason: expect.stringContaining('410') })
      },
      'D 11 redirect': async ({ moved }) => {
        if (!moved) throw new Error('not sent')
        const entry = await logged(moved.hookId, moved.deliveryId, ({ statusCode }) => statusCode === 302)
        expect(entry.status).toBe('pending')
        expect(receiver.received('/elsewhere')).toEqual([])
      },
      'I 8 webhook timeout': async ({ slow }) => {
        if (!slow) throw new Error('not sent')
        const entry = await logged(slow.hookId, slow.deliveryId, ({ attempts }) => attempts >= 1, 20_000)
        expect([entry.statusCode, entry.responseBody]).toEqual([0, 'timeout after 10 s'])
      },
      'D 12 no answer': async ({ slow }) => {
        if (!slow) throw new Error('not sent')
        // Its own delivery, to a closed port: it is read between the first attempt and the retry.
        const url = `https://127.0.0.1:${await freePort()}/closed`
        const made = await callData<Webhook>('POST /webhooks', { body: { url, events: ['upload.failed'] } })
        const sent = await callData<Delivery>(`POST /webhooks/${made.id}/test`)
        const entry = await logged(made.id, sent.id, ({ attempts }) => attempts === 1)
        const readAtMs = Date.now()
        expect(entry).toEqual({
          id: sent.id,
          event: 'webhook.test',
          url,
          statusCode: 0,
          status: 'pending',
          attempts: 1,
          requestBody: expect.stringContaining('webhook.test'),
          responseBody: expect.stringMatching(/refused/i),
          durationMs: expect.any(Number),
          deliveredAt: null,
          nextAttemptAt: expect.stringMatching(/Z$/),
          createdAt: expect.stringMatching(/Z$/),
        })
        const [createdMs, nextMs] = [Date.parse(entry.createdAt), Date.parse(entry.nextAttemptAt ?? '')]
        expect(nextMs).toBeGreaterThanOrEqual(createdMs + 9000)
        expect(nextMs).toBeLessThanOrEqual(readAtMs + 11_000)
        await callData(`DELETE /webhooks/${made.id}`)
        expect(await logged(slow.hookId, slow.deliveryId, ({ status }) => status === 'delivered', 30_000)).toMatchObject({
          attempts: 2,
          nextAttemptAt: null,
        })
      },
      'I 6.5': async ({ kept, flaky }) => {
        if (!kept || !flaky) throw new Error('not sent')
        const late = await logged(kept.hookId, kept.deliveryId, ({ status }) => status === 'delivered')
        expect([late.statusCode, late.attempts]).toEqual([202, 1])
        const tried = await logged(flaky.hookId, flaky.deliveryId, ({ status }) => status === 'delivered', 45_000)
        expect([tried.statusCode, tried.attempts]).toEqual([204, 3])
      },
      'I 6.7': ({ flaky }) => {
        const received = receiver.received(flaky?.path ?? '')
        expect(received.map(({ headers }) => headers['x-webhook-delivery'])).toEqual(Array(3).fill(flaky?.deliveryId))
      },
      'I 8 webhook retries': ({ flaky }) => {
        const [first = 0, second = 0, third = 0] = receiver.received(flaky?.path ?? '').map(({ atMs }) => atMs)
        expect(second - first).toBeGreaterThan(8900)
        expect(second - first).toBeLessThan(14_000)
        expect(third - second).toBeGreaterThan(17_900)
        expect(third - second).toBeLessThan(26_000)
      },
    },
  )

  /** Each wait is read from the delivery and then skipped, so that all five are compared without waiting five minutes. */
  row(
    'I 6.6',
    async () => {
      const path = newPath('broken')
      receiver.setReply(path, () => ({ status: 500 }))
      const { id } = await hook(path, ['upload.failed'])
      const sent = await callData<Delivery>(`POST /webhooks/${id}/test`)
      for (const [n, waitSeconds] of [10, 20, 40, 80, 160].entries()) {
        const entry = await logged(id, sent.id, ({ attempts }) => attempts === n + 1, 30_000)
        const readAtMs = Date.now()
        const receivedMs = receiver.received(path)[n]?.atMs ?? 0
        expect([entry.status, entry.statusCode]).toEqual(['pending', 500])
        const nextMs = Date.parse(entry.nextAttemptAt ?? '')
        expect(nextMs - receivedMs).toBeGreaterThanOrEqual(waitSeconds * 900)
        expect(nextMs - readAtMs).toBeLessThanOrEqual(waitSeconds * 1100)
        // As if the wait were over and the job that the engine holds were lost.
        await queryDatabase(
          `update webhook_delivery set next_attempt_at = now(), claimed_at = null, generation = generation + 1 where id = $1`,
          [sent.id],
        )
      }
      const last = await logged(id, sent.id, ({ status }) => status === 'failed', 30_000)
      expect([last.attempts, last.nextAttemptAt]).toEqual([6, null])
      expect(receiver.received(path).map(({ headers }) => headers['x-webhook-delivery'])).toEqual(Array(6).fill(sent.id))
    },
    200_000,
  )

  row(
    'I 6.6',
    async () => {
      const { webhookId, deliveryId } = testStack.undeliverable
      const entry = await logged(webhookId, deliveryId, ({ status }) => status === 'failed', 350_000)
      expect([entry.attempts, entry.statusCode, entry.nextAttemptAt]).toEqual([6, 0, null])
      // The waits are 10 + 20 + 40 + 80 + 160 s, each with up to 10 % jitter.
      const tookMs = Date.parse(entry.deliveredAt ?? new Date().toISOString()) - Date.parse(entry.createdAt)
      expect(tookMs).toBeGreaterThan(278_000)
    },
    360_000,
  )
})

row('D 15 events', async () => {
  const path = newPath('mine')
  await hook(path, ['upload.completed'])
  const mine = { externalId: uniqueText('id'), metadata: { tier: 'gold' } }
  await createPost(mine)
  const received = await receiver.waitFor(path, (body) => body.includes(mine.externalId))
  expect(JSON.parse(received.body)).toMatchObject({ data: mine })
})
