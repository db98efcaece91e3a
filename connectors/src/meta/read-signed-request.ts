import { createHmac, timingSafeEqual } from 'node:crypto'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { App } from '../kit/auth.ts'
import type { Notice } from '../kit/connector.ts'
import { parseJson } from '../kit/parse-json.ts'

const Content = Type.Object({
  algorithm: Type.String(),
  user_id: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Integer()]),
  issued_at: Type.Integer({ minimum: 0 }),
})

/**
 * Reads the field `signed_request`: a signature and a JSON object in base64url, with a dot between them. Anyone can send such a form, so
 * nothing in it is looked at before the signature, made with the app's secret, is found to be right.
 */
export function readSignedRequest(form: Readonly<Record<string, string>>, { clientSecret }: App): Notice | null {
  const [signature = '', payload = '', ...rest] = (form['signed_request'] ?? '').split('.')
  if (payload === '' || rest.length > 0) return null
  const expected = createHmac('sha256', clientSecret).update(payload).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const content = parseJson(Buffer.from(payload, 'base64url').toString())
  if (!Value.Check(Content, content) || content.algorithm.toUpperCase() !== 'HMAC-SHA256') return null
  return { userId: String(content.user_id), issuedAtMs: content.issued_at * 1000 }
}
