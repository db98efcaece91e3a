import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readSignedRequest } from './read-signed-request.ts'

const app = { clientId: 'id', clientSecret: 'secret of the app' }
const content = { algorithm: 'HMAC-SHA256', issued_at: 1_790_000_000, expires: 0, user_id: '17841400000000001' }

function sign(json: string, secret = app.clientSecret): string {
  const payload = Buffer.from(json).toString('base64url')
  return `${createHmac('sha256', secret).update(payload).digest('base64url')}.${payload}`
}
const read = (request: string) => readSignedRequest({ signed_request: request }, app)

test('guarantee: a request that was signed with the secret of the app names its user', () => {
  expect(read(sign(JSON.stringify(content)))).toEqual({ userId: '17841400000000001', issuedAtMs: 1_790_000_000_000 })
})

test('an id that is a number keeps all its digits', () => {
  const json = '{"algorithm":"HMAC-SHA256","issued_at":1790000000,"user_id":17841400000000001}'
  expect(read(sign(json))?.userId).toBe('17841400000000001')
})

describe('guarantee: nobody else can name a user', () => {
  const signed = sign(JSON.stringify(content))
  const [signature = '', payload = ''] = signed.split('.')
  const other = Buffer.from(JSON.stringify({ ...content, user_id: '2' })).toString('base64url')
  test.each([
    ['the secret of another app', sign(JSON.stringify(content), 'another secret')],
    ['the content of another request', `${signature}.${other}`],
    ['no signature', `.${payload}`],
    ['the beginning of the signature', `${signature.slice(0, 20)}.${payload}`],
    ['a signature that is too long', `${signature}AAAA.${payload}`],
    ['one other byte', `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}.${payload}`],
    ['no content', `${signature}.`],
    ['a third part', `${signed}.${payload}`],
    ['nothing', ''],
    ['another algorithm', sign(JSON.stringify({ ...content, algorithm: 'none' }))],
    ['no algorithm', sign(JSON.stringify({ ...content, algorithm: undefined }))],
    ['no user', sign(JSON.stringify({ ...content, user_id: '' }))],
    ['no time', sign(JSON.stringify({ ...content, issued_at: undefined }))],
    ['no object', sign('"HMAC-SHA256"')],
    ['no JSON', sign('<html>')],
  ])('with %s', (_, request) => {
    expect(read(request)).toBeNull()
  })
  test('with another field', () => {
    expect(readSignedRequest({ request: signed }, app)).toBeNull()
  })
})
