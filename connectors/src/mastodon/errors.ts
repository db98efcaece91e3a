import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

export const because = explainFor('Mastodon')

const Body = Type.Object({ error: Type.String(), error_description: Type.Optional(Type.String()) })

const reconnect: Refusal = {
  kind: 'auth',
  ...because('reconnect'),
}

/** The token endpoint returns codes. The rest of the API returns a status and a message in the server's language. */
const tokenCodes: Partial<Record<string, Refusal>> = {
  invalid_grant: reconnect,
  invalid_client: reconnect,
  invalid_token: reconnect,
  unauthorized_client: reconnect,
}

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const known = body ? tokenCodes[body.error] : undefined
  const byStatus = refusalByStatus('Mastodon', reply.status, body?.error_description ?? body?.error)
  return refuse(known ?? byStatus, known && body ? body.error : String(reply.status), reply, nowMs)
}
