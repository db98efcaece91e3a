import { createHash, createHmac } from 'node:crypto'
import type { LoggedEvent } from '@carillon/sdk'

/** What became of one attempt: the status of the answer, or why there was none. */
export type Attempt = { isAccepted: boolean; result: string }

const timeoutMs = 10_000

/** Sends an event as a webhook would be sent: the same headers, signatures and body. 2xx within ten seconds accepts it. */
export async function forwardEvent(
  event: LoggedEvent,
  { forward, secret }: { forward: string; secret: string },
): Promise<Attempt> {
  const deliveryId = deliveryIdOf(event)
  const { event: name, timestamp, workspaceId, data } = event
  const body = JSON.stringify({ event: name, deliveryId, timestamp, workspaceId, data })
  try {
    const response = await fetch(forward, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Carillon-Webhooks',
        'x-webhook-event': name,
        'x-webhook-delivery': deliveryId,
        ...signDelivery({ id: deliveryId, body }, secret, Date.now()),
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return { isAccepted: response.ok, result: String(response.status) }
  } catch (error) {
    return { isAccepted: false, result: describeSilence(error) }
  }
}

/** An id that follows from the event: also after a restart it is the same, so that the receiver recognises a repeat. */
export function deliveryIdOf({ workspaceId, id }: Pick<LoggedEvent, 'workspaceId' | 'id'>): string {
  const bytes = createHash('sha256').update(`${workspaceId} ${id}`).digest().subarray(0, 16)
  // Version 8 of a UUID: its bits mean what its maker wants.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The headers of Standard Webhooks, and the simpler signature of the body alone. */
function signDelivery({ id, body }: { id: string; body: string }, secret: string, atMs: number): Record<string, string> {
  const seconds = Math.floor(atMs / 1000)
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
    'x-webhook-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }
}

/** The base64 after the prefix. A secret of another form is the key as it is written. */
function keyOf(secret: string): Buffer {
  const coded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : ''
  const isBase64 = coded.length > 0 && coded.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(coded)
  return isBase64 ? Buffer.from(coded, 'base64') : Buffer.from(secret, 'utf8')
}

function describeSilence(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer in ${timeoutMs / 1000} s`
  const cause = error instanceof Error ? error.cause : null
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer'
}
