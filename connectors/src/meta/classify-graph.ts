import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { checkWaitsMs } from './check-waits-ms.ts'
import { retryAfterFromUsage } from './retry-after-from-usage.ts'

const Body = Type.Object({
  error: Type.Object({
    code: Type.Optional(Type.Number()),
    error_subcode: Type.Optional(Type.Number()),
    message: Type.Optional(Type.String()),
    error_user_msg: Type.Optional(Type.String()),
    is_transient: Type.Optional(Type.Boolean()),
  }),
})

type Table = Partial<Record<number, Refusal>>

/** All Graph APIs share one error format and the general codes. A subcode is more precise than a code, so it is looked up first. */
export function classifyGraph(name: string, { subcodes, codes }: { subcodes: Table; codes: Table }): Classify {
  const general = generalCodes(name)
  const noPermission = general[10]
  const byCode = (code: number): Refusal | undefined => {
    if (code >= 200 && code <= 299) return codes[code] ?? noPermission
    // The limits of one business, which come with status 400.
    return codes[code] ?? (code >= 80_000 && code <= 80_014 ? general[4] : general[code])
  }
  const transient: Refusal = { kind: 'unavailable', ...explainFor(name)('busy') }

  return (reply, nowMs) => {
    const error = Value.Check(Body, reply.body) ? reply.body.error : null
    const { code, error_subcode: subcode } = error ?? {}
    const listed = (subcode === undefined ? undefined : subcodes[subcode]) ?? (code === undefined ? undefined : byCode(code))
    const known = listed ?? (error?.is_transient === true && reply.status < 500 ? transient : undefined)
    const platformCode = [code, subcode].filter((part) => part !== undefined).join('/')
    const platformMessage = error?.error_user_msg ?? error?.message ?? null
    const headers = { ...retryAfterFromUsage(reply.headers), ...reply.headers }
    return refuse(
      known ?? refusalByStatus(name, reply.status, platformMessage),
      platformCode || null,
      { ...reply, headers },
      nowMs,
    )
  }
}

function generalCodes(name: string): Table {
  const because = explainFor(name)
  const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
  const tooFast: Refusal = { kind: 'limited', ...because('slow_down') }
  const failed: Refusal = { kind: 'unknown', message: `${name} failed while handling this.` }
  const noPermission: Refusal = { kind: 'auth', ...because('permission_missing') }
  const restricted: Refusal = { kind: 'limited', ...because('restricted_for_a_while') }
  const preparing: Refusal = { kind: 'unavailable', ...because('preparing'), waitsMs: checkWaitsMs }
  return {
    1: failed,
    2: failed,
    3: noPermission,
    4: tooFast,
    10: noPermission,
    17: tooFast,
    32: tooFast,
    102: reconnect,
    190: reconnect,
    341: tooFast,
    368: restricted,
    613: tooFast,
    9007: preparing,
  }
}
