import { createHmac } from 'node:crypto'

export type Message = { id: string; atMs: number; body: string }

const prefix = 'whsec_'
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * The headers that prove a delivery is ours: our own signature of the exact body, and the three of Standard Webhooks for receivers that
 * want replays refused as well. After a rotation the previous secret signs along.
 */
export function signatureHeaders(message: Message, secret: string, previous: string | null): Record<string, string> {
  const secrets = previous === null ? [secret] : [secret, previous]
  return {
    'x-webhook-signature': bodySignature(message.body, secret),
    ...(previous !== null && { 'x-webhook-signature-previous': bodySignature(message.body, previous) }),
    'webhook-id': message.id,
    'webhook-timestamp': String(seconds(message)),
    'webhook-signature': secrets.map((each) => standardSignature(message, each)).join(' '),
  }
}

/** Keyed with the secret as it is written, prefix and all. */
function bodySignature(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

function standardSignature(message: Message, secret: string): string {
  const signed = `${message.id}.${seconds(message)}.${message.body}`
  return `v1,${createHmac('sha256', standardKey(secret)).update(signed).digest('base64')}`
}

/** A secret of the person's own may have the prefix and no base64 after it; decoding that could leave an empty key. */
function standardKey(secret: string): Buffer {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : ''
  return base64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret, 'utf8')
}

function seconds({ atMs }: Message): number {
  return Math.floor(atMs / 1000)
}
