import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { cutText } from '../kit/cut-text.ts'
import type { Classify } from '../kit/http.ts'
import { explainFor } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'Ghost'
const because = explainFor(name)

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

const Body = Type.Object({
  errors: Type.Array(Type.Object({ type: Text, code: Text, message: Text, context: Text }), { minItems: 1 }),
})

const messageLengthMax = 300

const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
const forbidden: Refusal = { kind: 'auth', ...because('permission_missing') }
const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })

/** By Ghost's own codes, which few errors have, and by the types that all of them have. A token that is not one has status 400. */
const table: Partial<Record<string, Refusal>> = {
  INVALID_JWT: reconnect,
  INVALID_AUTH_HEADER: reconnect,
  MISSING_ADMIN_API_KID: reconnect,
  UNKNOWN_ADMIN_API_KEY: reconnect,
  INVALID_API_KEY_TYPE: reconnect,
  UnauthorizedError: reconnect,
  NoPermissionError: forbidden,
  HostLimitError: forbidden,
  NotFoundError: { kind: 'gone', ...because('not_found') },
  UnsupportedMediaTypeError: rejected('file_kind'),
  RequestEntityTooLargeError: rejected('file_too_large'),
  // A newer site has no such address any more.
  UPDATE_CLIENT: rejected('api_version_ended'),
  TooManyRequestsError: { kind: 'limited', ...because('slow_down') },
}

/** A site whose API is at another address. A request that is moved loses what it carries. */
export const movedCode = 'moved'

/** By status, where the body is not of Ghost. A 403 is a firewall's; a 404 is what a server answers whose Ghost is switched off. */
const byStatus: Partial<Record<number, Refusal>> = {
  301: reconnect,
  302: reconnect,
  307: reconnect,
  308: reconnect,
  403: forbidden,
  404: { kind: 'unavailable', ...because('unreachable') },
  413: rejected('file_too_large'),
}

export const classify: Classify = (reply, nowMs) => {
  const [error] = Value.Check(Body, reply.body) ? reply.body.errors : []
  const code = error?.code || error?.type || null
  const isMoved = reply.status > 300 && reply.status < 400
  // What is wrong with a field stands in the context; the message is the same for all fields.
  const said = error ? cutText([error.message, error.context].filter(Boolean).join(' '), messageLengthMax) : null
  const known = lookUp(error?.code) ?? lookUp(error?.type) ?? (error ? undefined : byStatus[reply.status])
  const refusal = known && { ...known, platformMessage: said }
  return refuse(refusal ?? refusalByStatus(name, reply.status, said), isMoved ? movedCode : code, reply, nowMs)
}

function lookUp(word: string | null | undefined): Refusal | undefined {
  return word && Object.hasOwn(table, word) ? table[word] : undefined
}
