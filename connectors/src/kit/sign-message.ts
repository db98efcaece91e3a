import { createHmac } from 'node:crypto'

export type Message = { id: string; atMs: number; body: string }

const prefix = 'whsec_'
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The three headers of Standard Webhooks, which prove who sent a message and when. There is one signature for each secret. */
export function signMessage(message: Message, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(message.atMs / 1000))
  const signed = `${message.id}.${timestamp}.${message.body}`
  const sign = (secret: string) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  }
}

/** A secret that a user chose may have the prefix but no base64 after it. Decoding that could result in an empty key. */
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : ''
  return base64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8')
}
