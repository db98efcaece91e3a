import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { PostEvent, WebhookEvent } from './types.gen.ts'
import { createWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

function ending(uploadId: string, more: Partial<PostEvent> = {}): PostEvent {
  const about = { timestamp: '2026-11-15T12:00:00.000Z', workspaceId: '6735f0c29b1e8a0012ab34cd', deliveryId: randomUUID() }
  const data = { uploadId, requestId: `request-${uploadId}`, status: 'completed', channels: [] } as unknown as PostEvent['data']
  return { event: 'upload.completed', ...about, data, ...more }
}

function delivery(event: object, signedWith = secret): RequestInit & { headers: Record<string, string> } {
  const body = JSON.stringify(event)
  const signature = createHmac('sha256', signedWith).update(body).digest('hex')
  return { method: 'POST', headers: { 'x-webhook-signature': `sha256=${signature}` }, body }
}

/** The same receiver behind both of its doors. */
const doors: Record<string, (receiver: WebhookReceiver) => Promise<Door>> = {
  'a Request': async (receiver) => ({ ...openRequest(receiver), close() {} }),
  'a server of Node': async ({ listener }) => {
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
type Door = { send: (init: RequestInit) => Promise<number>; close: () => void }

describe.each(Object.entries(doors))('by %s', (_name, open) => {
  test('what is signed is given to the program, then answered', async () => {
    const seen: WebhookEvent[] = []
    const receiver = createWebhookReceiver({ secret, onEvent: (event) => seen.push(event) })
    const { send, close } = await open(receiver)
    const event = ending('u1')
    expect(await send(delivery(event))).toBe(204)
    expect(seen).toEqual([event])
    close()
  })

  test('what is not, or is no delivery at all, is refused and never seen', async () => {
    const seen: WebhookEvent[] = []
    const { send, close } = await open(createWebhookReceiver({ secret, onEvent: (event) => seen.push(event) }))
    expect(await send(delivery(ending('u1'), 'another-secret-16'))).toBe(400)
    expect(await send({ method: 'POST', body: '{}' })).toBe(400)
    expect(await send({ method: 'POST' })).toBe(400)
    expect(await send({ method: 'GET' })).toBe(405)
    expect(seen).toEqual([])
    close()
  })
})

test('a body without end is not read to its end', async () => {
  const { fetch } = createWebhookReceiver({ secret })
  const { status } = await fetch(new Request('https://receiver.example/', { method: 'POST', body: 'x'.repeat(1_000_001) }))
  expect(status).toBe(413)
})

describe('each event once', () => {
  test('the same delivery again, later or at the same time, is answered and not given', async () => {
    let given = 0
    const onEvent = async () => {
      given++
      await new Promise((done) => setTimeout(done, 30))
    }
    const { send } = openRequest(createWebhookReceiver({ secret, onEvent }))
    const again = delivery(ending('u1'))
    expect(await Promise.all([send(again), send(again)])).toEqual([204, 204])
    expect([await send(again), given]).toEqual([204, 1])
  })

  test('but one the program failed on is asked for again', async () => {
    const errors: unknown[] = []
    let isDown = true
    const onEvent = () => {
      if (isDown) throw new Error('down')
    }
    const receiver = createWebhookReceiver({ secret, onEvent, onError: (error) => errors.push(error) })
    const { send } = openRequest(receiver)
    const event = delivery(ending('u1'))
    expect(await send(event)).toBe(500)
    isDown = false
    expect(await send(event)).toBe(204)
    expect(errors).toMatchObject([{ message: 'down' }])
  })
})

describe('waitUntilFinished', () => {
  test('gives what comes, and what came before', async () => {
    const receiver = createWebhookReceiver({ secret })
    const { send } = openRequest(receiver)
    const coming = Promise.all([receiver.waitUntilFinished('u1'), receiver.waitUntilFinished('request-u1')])
    await send(delivery(ending('other')))
    await send(delivery(ending('u1', { event: 'upload.publishing' })))
    await send(delivery(ending('u1')))
    expect(await coming).toMatchObject([{ uploadId: 'u1' }, { uploadId: 'u1' }])
    expect(await receiver.waitUntilFinished('other')).toMatchObject({ uploadId: 'other' })
  })

  test.each(['upload.completed', 'upload.partial_failure', 'upload.failed'] as const)('ends with %s', async (event) => {
    const receiver = createWebhookReceiver({ secret })
    const { send } = openRequest(receiver)
    await send(delivery(ending('u1', { event })))
    expect(await receiver.waitUntilFinished('u1')).toMatchObject({ uploadId: 'u1' })
  })

  test('an end is given once: after a retry there is another', async () => {
    const receiver = createWebhookReceiver({ secret })
    const { send } = openRequest(receiver)
    await send(delivery(ending('u1', { event: 'upload.failed' })))
    await receiver.waitUntilFinished('u1')
    await expect(receiver.waitUntilFinished('u1', { timeoutMs: 20 })).rejects.toMatchObject({ code: 'wait_timed_out' })
  })

  test('stops when the caller gives up', async () => {
    const { waitUntilFinished } = createWebhookReceiver({ secret })
    await expect(waitUntilFinished('u1', { signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout')
  })
})

function openRequest({ fetch }: WebhookReceiver) {
  return { send: async (init: RequestInit) => (await fetch(new Request('https://receiver.example/', init))).status }
}
