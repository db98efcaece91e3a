import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const Problem = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
})
const OAuthError = Type.Object({ error: Type.String() })
const Legacy = Type.Object({ errors: Type.Array(Type.Object({ code: Type.Number() }), { minItems: 1 }) })

const duplicate = 'duplicate-content'

const reconnect: Refusal = { kind: 'auth', message: 'X no longer accepts this connection. Reconnect the account.' }
const tooFast: Refusal = { kind: 'limited', message: 'X asks us to slow down. The post will be sent later.' }
const noCredits: Refusal = { kind: 'limited', message: 'The X developer app has no credits left. Its operator has to buy more.' }
const badApp: Refusal = { kind: 'auth', message: 'X does not accept the developer app. Its operator has to check id and secret.' }
const noAccess: Refusal = {
  kind: 'auth',
  message: 'The X developer app lacks the permission for this. Its operator has to change its settings.',
}

/** By code: the last part of the problem's `type`, an OAuth code, or our name for a legacy number. */
const table: Partial<Record<string, Refusal>> = {
  [duplicate]: { kind: 'rejected', message: 'X refused this post because the same text was posted recently.', isDuplicate: true },
  'rate-limit-exceeded': tooFast,
  'usage-capped': noCredits,
  'credits-depleted': noCredits,
  'client-forbidden': noAccess,
  'oauth1-permissions': noAccess,
  'resource-not-found': { kind: 'gone', message: 'The post or account no longer exists on X.' },
  'user-suspended': { kind: 'gone', message: 'X has suspended this account.' },
  invalid_grant: reconnect,
  invalid_request: reconnect,
  invalid_client: badApp,
  unauthorized_client: badApp,
}

const legacyCodes: Partial<Record<number, string>> = { 64: 'user-suspended', 88: 'rate-limit-exceeded', 187: duplicate }

/** A duplicate has no code of its own (`type` is about:blank), so it is recognised by these exact sentences. */
const detailCodes: Partial<Record<string, string>> = {
  'You are not allowed to create a Tweet with duplicate content.': duplicate,
  'You are not allowed to create a Post with duplicate content.': duplicate,
}

export const classify: Classify = (reply, nowMs) => {
  const code = codeOf(reply.status, reply.body)
  const platformMessage = Value.Check(Problem, reply.body) ? reply.body.detail : null
  const known = code === null ? undefined : table[code]
  return refuse(known ?? refusalByStatus('X', reply.status, platformMessage), code, reply, nowMs)
}

function codeOf(status: number, body: unknown): string | null {
  if (status === 402) return 'credits-depleted'
  if (Value.Check(OAuthError, body)) return body.error
  if (Value.Check(Problem, body)) {
    const byDetail = body.detail === undefined ? undefined : detailCodes[body.detail]
    const byType = body.type?.split('/').at(-1)
    if (byDetail !== undefined) return byDetail
    if (byType !== undefined && byType !== 'about:blank') return byType
  }
  const legacy = Value.Check(Legacy, body) ? body.errors[0]?.code : undefined
  if (legacy !== undefined) return legacyCodes[legacy] ?? String(legacy)
  return null
}
