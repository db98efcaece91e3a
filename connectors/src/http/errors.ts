import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'Own platform'
const because = explainFor(name)

const Body = Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) })

/** The receiver does not know the key that it was asked about. */
const unknownKey = 'unknown_key'

const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }

/** The codes that a receiver may use. With any other it is judged by its status, and its message is shown. */
const table: Partial<Record<string, Refusal>> = {
  signature_wrong: reconnect,
  [unknownKey]: { kind: 'gone', ...because('not_found') },
  not_found: { kind: 'gone', ...because('not_found') },
  text_too_long: { kind: 'rejected', ...because('text_too_long') },
  file_too_large: { kind: 'rejected', ...because('file_too_large') },
  file_kind: { kind: 'rejected', ...because('file_kind') },
  file_not_fetched: { kind: 'rejected', ...because('file_not_fetched') },
  file_unprocessed: { kind: 'rejected', ...because('file_unprocessed') },
  unsupported: { kind: 'rejected', ...because('refused') },
}

/** By status, where the body has no known code. 404 is what a server answers whose receiver is switched off: nothing was done. */
const byStatus: Partial<Record<number, Refusal>> = {
  403: reconnect,
  405: { kind: 'rejected', ...because('refused') },
  501: { kind: 'rejected', ...because('refused') },
  404: { kind: 'unavailable', ...because('unreachable') },
}

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const said = body?.message ?? null
  const known = (body && Object.hasOwn(table, body.code) ? table[body.code] : undefined) ?? byStatus[reply.status]
  const refusal = known && { ...known, platformMessage: said }
  return refuse(refusal ?? refusalByStatus(name, reply.status, said), body?.code ?? null, reply, nowMs)
}

export function unknownOutcome(message: string): PlatformError {
  return new PlatformError({ kind: 'unknown', platformCode: null, message })
}

export function isUnknownKey(error: unknown): boolean {
  return error instanceof PlatformError && error.platformCode === unknownKey
}
