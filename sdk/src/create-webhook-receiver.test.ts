import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { PostEvent, WebhookEvent } from './types.gen.ts'
import { createWebhookReceiver, type WebhookReceiver } from './create-webhook-receiver.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

function finishedEvent(uploadId: string, more: Partial<PostEvent> = {}): PostEvent {
  const common = { timestamp: '2026-11-15T12:00:00.000Z', workspaceId: '6735f0c29b1e8a0012ab34cd', deliveryId: randomUUID() }
  const data = { uploadId, requestId: `request-${uploadId}`, status: 'completed', channels: [] } as unknown as PostEvent['data']
  return { event: 'upload.completed', ...common, data, ...more }
}

function delivery(event: object, signedWith = secret): RequestInit & { headers: Record<string, string> } {
  const body = JSON.stringify(event)
  const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))]
  const key = Buffer.from(signedWith.replace('whsec_', ''), 'base64')
  const headers = {
    'x-webhook-signature': `sha256=${createHmac('sha256', signedWith).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  }
  return { method: 'POST', headers, body }
}

/** The same receiver behind both of its interfaces. */
const interfaces: Record<string, (receiver: WebhookReceiver) => Promise<Sender>> = {
  'a Request': async (receiver) => ({ ...createRequestSender(receiver), close() {} }),
  'a Node server': async ({ listener }) => {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    return {
      send: async (init) => (await fetch(`http://127.0.0.1:${port}/`, init)).status,
      close: () => void server.close(),
    }
  },
}
type Sender = { send: (init: RequestInit) => Promise<number>; close: () => void }

describe.each(Object.entries(interfaces))('through %s', (_name, open) => {
  test('a signed delivery is passed to onEvent and then acknowledged', async () => {
    const received: WebhookEvent[] = []
    const receiver = createWebhookReceiver({ secret, onEvent: (event) => received.push(event) })
    const { send, close } = await open(receiver)
    const event = finishedEvent('u1')
    expect(await send(delivery(event))).toBe(204)
    expect(received).toEqual([event])
    close()
  })

  test('an unsigned or invalid request is refused and not passed to onEvent', async () => {
    const received: WebhookEvent[] = []
    const { send, close } = await open(createWebhookReceiver({ secret, onEvent: (event) => received.push(event) }))
    expect(await send(delivery(finishedEvent('u1'), 'another-secret-16'))).toBe(400)
    expect(await send({ method: 'POST', body: '{}' })).toBe(400)
    expect(await send({ method: 'POST' })).toBe(400)
    expect(await send({ method: 'GET' })).toBe(405)
    expect(received).toEqual([])
    close()
  })
})

test('a body that is too large is refused', async () => {
  const { fetch } = createWebhookReceiver({ secret })
  const { status } = await fetch(new Request('https://receiver.example/', { method: 'POST', body: 'x'.repeat(1_000_001) }))
  expect(status).toBe(413)
})

describe('each event is handled once', () => {
  test('a repeated delivery, even a concurrent one, is acknowledged but not passed on again', async () => {
    let calls = 0
    const onEvent = async () => {
      calls++
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    const { send } = createRequestSender(createWebhookReceiver({ secret, onEvent }))
    const repeated = delivery(finishedEvent('u1'))
    expect(await Promise.all([send(repeated), send(repeated)])).toEqual([204, 204])
    expect([await send(repeated), calls]).toEqual([204, 1])
  })

  test('a delivery whose handler failed is handled again when it is repeated', async () => {
    const errors: unknown[] = []
    let isDown = true
    const onEvent = () => {
      if (isDown) throw new Error('down')
    }
    const receiver = createWebhookReceiver({ secret, onEvent, onError: (error) => errors.push(error) })
    const { send } = createRequestSender(receiver)
    const event = delivery(finishedEvent('u1'))
    expect(await send(event)).toBe(500)
    isDown = false
    expect(await send(event)).toBe(204)
    expect(errors).toMatchObject([{ message: 'down' }])
  })
})

describe('waitUntilFinished', () => {
  test('gives events that arrive later and events that arrived before', async () => {
    const receiver = createWebhookReceiver({ secret })
    const { send } = createRequestSender(receiver)
    const pending = Promise.all([receiver.waitUntilFinished('u1'), receiver.waitUntilFinished('request-u1')])
    await send(delivery(finishedEvent('other')))
    await send(delivery(finishedEvent('u1', { event: 'upload.publishing' })))
    await send(delivery(finishedEvent('u1')))
    expect(await pending).toMatchObject([{ uploadId: 'u1' }, { uploadId: 'u1' }])
    expect(await receiver.waitUntilFinished('other')).toMatchObject({ uploadId: 'other' })
  })

  test.each(['upload.completed', 'upload.partial_failure', 'upload.failed'] as const)('ends with %s', async (event) => {
    const receiver = createWebhookReceiver({ secret })
    const { send } = createRequestSender(receiver)
    await send(delivery(finishedEvent('u1', { event })))
    expect(await receiver.waitUntilFinished('u1')).toMatchObject({ uploadId: 'u1' })
  })

  test('an event is given once, because a retried post finishes again', async () => {
    const receiver = createWebhookReceiver({ secret })
    const { send } = createRequestSender(receiver)
    await send(delivery(finishedEvent('u1', { event: 'upload.failed' })))
    await receiver.waitUntilFinished('u1')
    await expect(receiver.waitUntilFinished('u1', { timeoutMs: 20 })).rejects.toMatchObject({ code: 'wait_timed_out' })
  })

  test('stops when the caller aborts', async () => {
    const { waitUntilFinished } = createWebhookReceiver({ secret })
    await expect(waitUntilFinished('u1', { signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout')
  })
})

function createRequestSender({ fetch }: WebhookReceiver) {
  return { send: async (init: RequestInit) => (await fetch(new Request('https://receiver.example/', init))).status }
}
