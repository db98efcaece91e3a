import type { WebhookEvent } from './types.gen.ts'
import { decodeBase64, decodeHex, encodeUtf8 } from './bytes.ts'
import { hmacMatches } from './hmac-matches.ts'

/** Headers in the form of fetch or of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookToVerify = {
  /** The body exactly as received. Parsing it and serializing it again changes the bytes, so the signature no longer matches. */
  body: string | Uint8Array | ArrayBuffer
  headers: WebhookHeaders
  /** The complete secret as shown at creation, including the prefix `whsec_`. */
  secret: string
  /** The maximum difference between the signed time and now. Default: 300. */
  toleranceSeconds?: number
  /**
   * Refuse a delivery without a signed timestamp. Default: true, because the other signature does not cover the time: without this, an old
   * delivery could be sent again. Set it to false only if a proxy in front of you removes the `webhook-*` headers.
   */
  requireTimestamp?: boolean
  /** The current time, for tests. */
  nowMs?: number
}

export type WebhookRefusal =
  | 'signature_missing'
  | 'signature_wrong'
  | 'timestamp_missing'
  | 'timestamp_out_of_range'
  | 'body_not_json'

/** The delivery must not be trusted. Respond with status 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Verifies that a delivery comes from your Carillon server and gives its event. If a delivery has both kinds of signature, both must be
 * valid. An event can be delivered more than once: use `deliveryId` to process it only once.
 */
export async function verifyWebhook(delivery: WebhookToVerify): Promise<WebhookEvent> {
  const { headers, secret } = delivery
  if (secret === '') throw new TypeError('The webhook secret is empty.')
  const body = toBytes(delivery.body)
  const bodySignatures = [readHeader(headers, 'x-webhook-signature'), readHeader(headers, 'x-webhook-signature-previous')].filter(
    (value) => value !== null,
  )
  const standardSignature = readStandardSignature(headers)
  if (bodySignatures.length === 0 && !standardSignature)
    throw new WebhookVerificationError('signature_missing', 'The delivery has no signature.')
  if (!standardSignature && (delivery.requireTimestamp ?? true)) {
    throw new WebhookVerificationError('timestamp_missing', 'The delivery has no signed timestamp.')
  }
  if (bodySignatures.length > 0) await checkBodySignatures(bodySignatures, body, secret)
  if (standardSignature) await checkStandardSignature(standardSignature, body, delivery)
  return parseEvent(body)
}

/** Checks `sha256=<hex>` over the body alone. During the rotation of a secret, a second header carries the signature of the old one. */
async function checkBodySignatures(signatures: readonly string[], body: Uint8Array, secret: string): Promise<void> {
  for (const signature of signatures) {
    const decoded = decodeHex(signature.replace(/^sha256=/i, ''))
    if (decoded && (await hmacMatches(encodeUtf8(secret), decoded, [body]))) return
  }
  throw new WebhookVerificationError('signature_wrong', 'X-Webhook-Signature does not match the body and the secret.')
}

type StandardSignature = { id: string; timestamp: string; signatures: string }

/** Reads the three headers of the Standard Webhooks specification. Their signature also covers the timestamp. */
function readStandardSignature(headers: WebhookHeaders): StandardSignature | null {
  const [id, timestamp, signatures] = [
    readHeader(headers, 'webhook-id'),
    readHeader(headers, 'webhook-timestamp'),
    readHeader(headers, 'webhook-signature'),
  ]
  return id !== null && timestamp !== null && signatures !== null ? { id, timestamp, signatures } : null
}

async function checkStandardSignature(signature: StandardSignature, body: Uint8Array, delivery: WebhookToVerify): Promise<void> {
  const { toleranceSeconds = 300, nowMs = Date.now() } = delivery
  const { id, timestamp, signatures } = signature
  const differenceSeconds = Math.abs(nowMs / 1000 - Number(timestamp))
  // A timestamp that is not a number is out of range too.
  if (!/^\d+$/.test(timestamp) || differenceSeconds > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_out_of_range', 'The delivery was signed too long ago, or in the future.')
  }
  const key = readStandardKey(delivery.secret)
  for (const candidate of signatures.split(' ')) {
    const decoded = candidate.startsWith('v1,') ? decodeBase64(candidate.slice(3)) : null
    if (decoded && (await hmacMatches(key, decoded, [encodeUtf8(`${id}.${timestamp}.`), body]))) return
  }
  throw new WebhookVerificationError('signature_wrong', 'webhook-signature does not match the body and the secret.')
}

/** The key is the base64 after the prefix. A secret chosen by the user may have no base64 there; then the whole secret is the key. */
function readStandardKey(secret: string): Uint8Array<ArrayBuffer> {
  const decoded = secret.startsWith('whsec_') ? decodeBase64(secret.slice('whsec_'.length)) : null
  return decoded ?? encodeUtf8(secret)
}

function readHeader(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  if (found === undefined) return null
  return typeof found === 'string' ? found : (found[0] ?? null)
}

function toBytes(body: WebhookToVerify['body']): Uint8Array {
  if (typeof body === 'string') return encodeUtf8(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (body instanceof Uint8Array) return body
  throw new TypeError('verifyWebhook needs the raw body as it was received, not the result of a JSON parser.')
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookVerificationError('body_not_json', 'The body is signed, but it is not JSON.')
  }
}
