import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { signDelivery } from './deliver.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', atMs: 1_614_265_330_000, body: '{"test": 2432232314}' }
const standard = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

/** Guarantee: a receiver can verify a delivery with only the published rules. */
test('matches the public test vector of Standard Webhooks', () => {
  expect(signDelivery(message, secret, null)).toMatchObject({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': standard,
  })
})

test('the Standard Webhooks library accepts a current delivery, with either secret after a rotation', () => {
  const old = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'
  const today = { ...message, atMs: Date.now() }
  const headers = signDelivery(today, secret, old)
  for (const each of [secret, old]) expect(new Webhook(each).verify(today.body, headers)).toEqual({ test: 2432232314 })
  expect(() => new Webhook(secret).verify('{"test": 1}', headers)).toThrow('No matching signature')
})

test('our own signature covers the exact bytes, keyed with the whole secret as written', () => {
  const body = '{"text":"Grüße 🔔"}'
  const hex = createHmac('sha256', Buffer.from(secret, 'utf8')).update(Buffer.from(body, 'utf8')).digest('hex')
  const headers = signDelivery({ ...message, body }, secret, null)
  expect(headers['x-webhook-signature']).toBe(`sha256=${hex}`)
  expect(headers).not.toHaveProperty('x-webhook-signature-previous')
})

test('matches HMAC-SHA256 test case 2 of RFC 4231', () => {
  const headers = signDelivery({ ...message, body: 'what do ya want for nothing?' }, 'Jefe', null)
  expect(headers['x-webhook-signature']).toBe('sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')
})

test('the previous secret has its own header, and a second signature in the standard header', () => {
  const headers = signDelivery(message, 'another-secret-of-ours', secret)
  const [fresh, old] = headers['webhook-signature']?.split(' ') ?? []
  expect(old).toBe(standard)
  expect(fresh).not.toBe(standard)
  expect(headers['x-webhook-signature-previous']).toBe(signDelivery(message, secret, null)['x-webhook-signature'])
})

test.each(['secret-chosen-by-the-user', 'whsec_not base64 at all!'])('%s is used as the key exactly as it is written', (own) => {
  const signed = `${message.id}.1614265330.${message.body}`
  const wanted = `v1,${createHmac('sha256', own).update(signed).digest('base64')}`
  expect(signDelivery(message, own, null)['webhook-signature']).toBe(wanted)
})
