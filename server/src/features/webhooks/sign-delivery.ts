import { createHmac } from 'node:crypto'

export type Message = { id: string; atMs: number; body: string }

const prefix = 'whsec_'
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Returns the headers that prove that a delivery is ours: our own signature of the exact body, and the three headers of Standard Webhooks
 * for receivers that also reject replays. After a rotation there are signatures with the new and the previous secret.
 */
export function signDelivery(message: Message, secret: string, previous: string | null): Record<string, string> {
  const secrets = previous === null ? [secret] : [secret, previous]
  return {
    'x-webhook-signature': bodySignature(message.body, secret),
    ...(previous !== null && { 'x-webhook-signature-previous': bodySignature(message.body, previous) }),
    'webhook-id': message.id,
    'webhook-timestamp': String(seconds(message)),
    'webhook-signature': secrets.map((each) => standardSignature(message, each)).join(' '),
  }
}

/** The key is the whole secret as it is written, including its prefix. */
function bodySignature(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

function standardSignature(message: Message, secret: string): string {
  const signed = `${message.id}.${seconds(message)}.${message.body}`
  return `v1,${createHmac('sha256', standardKey(secret)).update(signed).digest('base64')}`
}

/** A secret that a user chose may have the prefix but no base64 after it. Decoding that could result in an empty key. */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : ''
  return base64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8')
}

function seconds({ atMs }: Message): number {
  return Math.floor(atMs / 1000)
}
