import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, type WebhookToVerify } from './verify-webhook.ts'

/** Guarantee: a delivery is accepted only if it was signed with this secret, is unchanged and is recent. */
// The example from the Standard Webhooks specification.
const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  nowMs: 1_614_265_330_000,
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
}
const sign = (body: string, secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfFx9Qw'
const body = JSON.stringify({ event: 'webhook.test', deliveryId: 'd1', data: { message: 'Grüße 🔔' } })

async function reasonOf(delivery: WebhookToVerify): Promise<unknown> {
  return verifyWebhook(delivery).then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error && 'reason' in error ? error.reason : error),
  )
}

describe('the signature over the body alone', () => {
  const withoutTime = { requireTimestamp: false }

  test('is refused unless the caller accepts deliveries without a signed time', async () => {
    const headers = { 'x-webhook-signature': sign(body, secret) }
    expect(await reasonOf({ body, headers, secret })).toBe('timestamp_missing')
    expect(await reasonOf({ body, headers, secret, ...withoutTime })).toBe('accepted')
  })

  test('matches a known test vector', async () => {
    const headers = { 'X-Webhook-Signature': 'sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8' }
    const given = { body: 'The quick brown fox jumps over the lazy dog', secret: 'key', headers, ...withoutTime }
    // The test vector from Wikipedia's HMAC article. The signature is valid, so the check fails only at the JSON.
    expect(await reasonOf(given)).toBe('body_not_json')
  })

  test('is accepted for a body as text or bytes, and for every kind of headers', async () => {
    const signature = sign(body, secret)
    const bytes = new TextEncoder().encode(body)
    for (const headers of [
      { 'x-webhook-signature': signature },
      { 'X-Webhook-Signature': [signature] },
      new Headers({ 'X-Webhook-Signature': signature }),
    ]) {
      for (const each of [body, bytes, bytes.buffer, Buffer.from(body)]) {
        expect(await verifyWebhook({ body: each, headers, secret, ...withoutTime })).toEqual(JSON.parse(body))
      }
    }
  })

  test('is accepted from the previous secret while it is being rotated', async () => {
    const headers = { 'x-webhook-signature': sign(body, 'the-new-secret-16'), 'x-webhook-signature-previous': sign(body, secret) }
    expect(await reasonOf({ body, headers, secret, ...withoutTime })).toBe('accepted')
  })

  test.each([
    ['another body', sign(`${body} `, secret)],
    ['another secret', sign(body, `${secret}x`)],
    ['not hex', 'sha256=zz'],
    ['cut short', sign(body, secret).slice(0, -2)],
    ['empty', 'sha256='],
  ])('is refused: %s', async (_name, signature) => {
    expect(await reasonOf({ body, headers: { 'x-webhook-signature': signature }, secret, ...withoutTime })).toBe(
      'signature_wrong',
    )
  })

  test('a delivery without a signature is refused', async () => {
    expect(await reasonOf({ body, headers: {}, secret })).toBe('signature_missing')
  })

  test('a parsed body is a programming error', async () => {
    const parsed: string = JSON.parse(body)
    await expect(verifyWebhook({ body: parsed, headers: { 'x-webhook-signature': 'sha256=00' }, secret })).rejects.toThrow(
      'raw body',
    )
  })
})

describe('Standard Webhooks', () => {
  test('matches the test vector of the specification', async () => {
    expect(await verifyWebhook(vector)).toEqual({ test: 2432232314 })
  })

  test('one valid signature among several is enough', async () => {
    const headers = { ...vector.headers, 'webhook-signature': `v2,abc v1,AAAA ${vector.headers['webhook-signature']}` }
    expect(await reasonOf({ ...vector, headers })).toBe('accepted')
  })

  test('is accepted within the tolerance and refused one second beyond it', async () => {
    expect(await reasonOf({ ...vector, nowMs: vector.nowMs + 300_000 })).toBe('accepted')
    expect(await reasonOf({ ...vector, nowMs: vector.nowMs + 301_000 })).toBe('timestamp_out_of_range')
    expect(await reasonOf({ ...vector, nowMs: vector.nowMs - 301_000 })).toBe('timestamp_out_of_range')
    expect(await reasonOf({ ...vector, nowMs: vector.nowMs + 20_000, toleranceSeconds: 10 })).toBe('timestamp_out_of_range')
  })

  test.each([
    ['another timestamp', { 'webhook-timestamp': '1614265331' }],
    ['another id', { 'webhook-id': 'msg_other' }],
    ['another signature', { 'webhook-signature': 'v1,AAAA' }],
  ])('is refused: %s', async (_name, change) => {
    expect(await reasonOf({ ...vector, headers: { ...vector.headers, ...change } })).toBe('signature_wrong')
  })

  test('is refused if it is wrong, even if the signature over the body alone is valid', async () => {
    const headers = { ...vector.headers, 'webhook-signature': 'v1,AAAA', 'x-webhook-signature': sign(vector.body, vector.secret) }
    expect(await reasonOf({ ...vector, headers })).toBe('signature_wrong')
  })

  test('a timestamp that is not a number is refused', async () => {
    expect(await reasonOf({ ...vector, headers: { ...vector.headers, 'webhook-timestamp': 'NaN' } })).toBe(
      'timestamp_out_of_range',
    )
  })

  test('guarantee: an old delivery is refused also if its signed timestamp was removed', async () => {
    const headers = { 'x-webhook-signature': sign(body, secret) }
    for (const requireTimestamp of [true, undefined])
      expect(await reasonOf({ body, headers, secret, ...(requireTimestamp && { requireTimestamp }) })).toBe('timestamp_missing')
  })

  test('a secret with the prefix but without base64 is used as the key as it is', async () => {
    const own = 'whsec_not base64 at all'
    const signature = createHmac('sha256', own).update(`m1.1614265330.${body}`).digest('base64')
    const headers = { 'webhook-id': 'm1', 'webhook-timestamp': '1614265330', 'webhook-signature': `v1,${signature}` }
    expect(await reasonOf({ body, headers, secret: own, nowMs: vector.nowMs })).toBe('accepted')
  })
})
