import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

export const because = explainFor('X')

const Problem = Type.Object({
  type: Type.Optional(Type.String()),
  title: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
})
const OAuthError = Type.Object({ error: Type.String() })
const Legacy = Type.Object({ errors: Type.Array(Type.Object({ code: Type.Number() }), { minItems: 1 }) })

const duplicate = 'duplicate-content'
const parentNotVisible = 'reply-target-not-visible'
const replyWaitsMs = [5_000, 10_000, 30_000, 60_000, 300_000] as const

const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
const tooFast: Refusal = { kind: 'limited', ...because('slow_down') }
const noCredits: Refusal = { kind: 'limited', ...because('app_credits_used') }
const badApp: Refusal = { kind: 'auth', ...because('app_refused') }
const noAccess: Refusal = {
  kind: 'auth',
  ...because('app_permission_missing'),
}

/** By code: the last part of the problem's `type`, an OAuth code, or our name for a legacy number. */
const table: Partial<Record<string, Refusal>> = {
  [duplicate]: { kind: 'rejected', ...because('duplicate'), isDuplicate: true },
  'rate-limit-exceeded': tooFast,
  'usage-capped': noCredits,
  'credits-depleted': noCredits,
  'client-forbidden': noAccess,
  'oauth1-permissions': noAccess,
  'resource-not-found': { kind: 'gone', ...because('not_found') },
  // A post is not visible to all of X at once. If it was deleted, the fifth attempt says so: X charges for each.
  [parentNotVisible]: { kind: 'rejected', isTemporary: true, ...because('not_found'), waitsMs: replyWaitsMs },
  'user-suspended': { kind: 'gone', ...because('suspended') },
  invalid_grant: reconnect,
  invalid_request: reconnect,
  invalid_client: badApp,
  unauthorized_client: badApp,
}

const legacyCodes: Partial<Record<number, string>> = {
  64: 'user-suspended',
  88: 'rate-limit-exceeded',
  187: duplicate,
  385: parentNotVisible,
}

/** These have no code of their own (`type` is about:blank), so they are recognised by their exact sentences. */
const detailCodes: Partial<Record<string, string>> = {
  'You are not allowed to create a Tweet with duplicate content.': duplicate,
  'You are not allowed to create a Post with duplicate content.': duplicate,
  'You attempted to reply to a Tweet that is deleted or not visible to you.': parentNotVisible,
  'You attempted to reply to a Post that is deleted or not visible to you.': parentNotVisible,
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
