import { createHmac } from 'node:crypto'

type Signed = { secret: string; id: string; body: string; atMs?: number }

/** The headers of Standard Webhooks, as a caller of a platform of one's own sends them. */
export function signRequest({ secret, id, body, atMs = Date.now() }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000))
  const hmac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  }
}
