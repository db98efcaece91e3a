import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const because = explainFor('Discord')

const Body = Type.Object({ code: Type.Number(), message: Type.String(), errors: Type.Optional(Type.Unknown()) })

const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
export const notAdmitted: Refusal = { kind: 'auth', ...because('bot_not_admitted') }
const gone: Refusal = { kind: 'gone', ...because('not_found') }
const limited: Refusal = { kind: 'limited', ...because('slow_down') }
const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })

/** By Discord's own codes. An answer without one has the code 0. */
const table: Partial<Record<number, Refusal>> = {
  10003: notAdmitted,
  10004: notAdmitted,
  10007: notAdmitted,
  10008: gone,
  20016: limited,
  20028: limited,
  20029: limited,
  30015: rejected('item_count'),
  40001: reconnect,
  40005: rejected('file_too_large'),
  40062: limited,
  // What stands before the API did not let the request through.
  40333: { kind: 'unavailable', ...because('unreachable') },
  50001: notAdmitted,
  50006: rejected('refused'),
  50008: notAdmitted,
  50013: notAdmitted,
  50014: reconnect,
  50045: rejected('file_too_large'),
  50046: rejected('file_format'),
  50083: notAdmitted,
  160002: notAdmitted,
  160005: notAdmitted,
  200000: rejected('refused'),
  240000: rejected('spam'),
}

/** A form that is refused names the field and says in a code of letters what is wrong with it. */
const ofForms: readonly (readonly [code: string, Refusal])[] = [
  ['MESSAGE_REFERENCE_UNKNOWN_MESSAGE', gone],
  ['BASE_TYPE_MAX_LENGTH', rejected('text_too_long')],
]
const invalidForm = 50_035

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const tree = body?.code === invalidForm ? JSON.stringify(body.errors ?? '') : ''
  const found = body ? (table[body.code] ?? ofForms.find(([code]) => tree.includes(`"${code}"`))?.[1]) : undefined
  const said = body?.message ?? null
  // A limit says how long to wait, whatever its code.
  const refusal = reply.status === 429 ? limited : (found ?? refusalByStatus('Discord', reply.status, said))
  const code = body && body.code !== 0 ? String(body.code) : String(reply.status)
  return refuse({ platformMessage: said, ...refusal }, code, reply, nowMs)
}
