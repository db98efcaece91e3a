import type { WebhookEvent } from './types.gen.ts'
import { fromBase64, fromHex, hmacMatches, utf8 } from './signature.ts'

/** Headers as fetch or as Node gives them. */
export type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookToVerify = {
  /** The body exactly as it arrived; parsing and writing it again changes the bytes and breaks the signature. */
  body: string | Uint8Array | ArrayBuffer
  headers: HeaderBag
  /** The whole secret as shown at creation, with its `whsec_`. */
  secret: string
  /** How far the sender's clock may be from ours; 300 unless given. */
  toleranceSeconds?: number
  /** Refuse a delivery that does not carry a signed time at all. */
  requireTimestamp?: boolean
  /** For tests. */
  nowMs?: number
}

export type WebhookRefusal =
  | 'signature_missing'
  | 'signature_wrong'
  | 'timestamp_missing'
  | 'timestamp_out_of_range'
  | 'body_not_json'

/** The delivery must not be trusted. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Proves that a delivery comes from your Carillon and gives its event. Every signature that is there must be right. An event can arrive
 * more than once: take each `deliveryId` only once.
 */
export async function verifyWebhook(delivery: WebhookToVerify): Promise<WebhookEvent> {
  const { headers, secret } = delivery
  if (secret === '') throw new TypeError('The webhook secret is empty.')
  const body = bytesOf(delivery.body)
  const plain = [header(headers, 'x-webhook-signature'), header(headers, 'x-webhook-signature-previous')].filter(
    (value) => value !== null,
  )
  const stamped = stampIn(headers)
  if (plain.length === 0 && !stamped)
    throw new WebhookVerificationError('signature_missing', 'The delivery carries no signature.')
  if (!stamped && delivery.requireTimestamp) {
    throw new WebhookVerificationError('timestamp_missing', 'The delivery does not say when it was signed.')
  }
  if (plain.length > 0) await checkPlain(plain, body, secret)
  if (stamped) await checkStamped(stamped, body, delivery)
  return parse(body)
}

/** `sha256=<hex>` over the body alone. While a secret is being rotated, the old one's signature comes in a header of its own. */
async function checkPlain(signatures: readonly string[], body: Uint8Array, secret: string): Promise<void> {
  for (const signature of signatures) {
    const given = fromHex(signature.replace(/^sha256=/i, ''))
    if (given && (await hmacMatches(utf8(secret), given, [body]))) return
  }
  throw new WebhookVerificationError('signature_wrong', 'X-Webhook-Signature does not fit the body and the secret.')
}

type Stamp = { id: string; timestamp: string; signatures: string }

/** The three headers of Standard Webhooks, which sign the time as well. */
function stampIn(headers: HeaderBag): Stamp | null {
  const [id, timestamp, signatures] = [
    header(headers, 'webhook-id'),
    header(headers, 'webhook-timestamp'),
    header(headers, 'webhook-signature'),
  ]
  return id !== null && timestamp !== null && signatures !== null ? { id, timestamp, signatures } : null
}

async function checkStamped(stamp: Stamp, body: Uint8Array, delivery: WebhookToVerify): Promise<void> {
  const { toleranceSeconds = 300, nowMs = Date.now() } = delivery
  const { id, timestamp, signatures } = stamp
  const apartSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
  // Not a number is out of range too.
  if (!/^\d+$/.test(timestamp) || apartSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_out_of_range', 'The delivery was signed too long ago, or in the future.')
  }
  const key = standardKey(delivery.secret)
  for (const signature of signatures.split(' ')) {
    const given = signature.startsWith('v1,') ? fromBase64(signature.slice(3)) : null
    if (given && (await hmacMatches(key, given, [utf8(`${id}.${timestamp}.`), body]))) return
  }
  throw new WebhookVerificationError('signature_wrong', 'webhook-signature does not fit the body and the secret.')
}

/** A secret of your own may have the prefix and no base64 after it; then all of it is the key. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const decoded = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : null
  return decoded ?? utf8(secret)
}

function header(headers: HeaderBag, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (found === undefined) return null
  return typeof found === 'string' ? found : (found[0] ?? null)
}

function bytesOf(body: WebhookToVerify['body']): Uint8Array {
  if (typeof body === 'string') return utf8(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('Give verifyWebhook the raw body, before any JSON parser has touched it.')
}

function parse(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookVerificationError('body_not_json', 'The body is signed, but it is not JSON.')
  }
}
