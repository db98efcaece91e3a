import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

export const because = explainFor('Bluesky')

const Body = Type.Object({ error: Type.String(), message: Type.Optional(Type.String()) })

const reconnect: Refusal = {
  kind: 'auth',
  ...because('sign_in_refused'),
}
const failed: Refusal = { kind: 'unknown', message: 'Bluesky failed while handling this.' }

/** By the name in the body's `error` field, which the lexicons define. */
const table: Partial<Record<string, Refusal>> = {
  ExpiredToken: { kind: 'auth', ...because('session_ended') },
  InvalidToken: reconnect,
  AuthenticationRequired: reconnect,
  AuthMissing: reconnect,
  AuthFactorTokenRequired: { kind: 'auth', ...because('second_factor_asked') },
  AccountTakedown: { kind: 'gone', ...because('taken_down') },
  AccountDeactivated: { kind: 'gone', ...because('deactivated') },
  AccountSuspended: { kind: 'gone', ...because('suspended') },
  RepoNotFound: { kind: 'gone', ...because('account_moved') },
  RecordNotFound: { kind: 'gone', ...because('not_found') },
  RateLimitExceeded: { kind: 'limited', ...because('slow_down') },
  BlobTooLarge: { kind: 'rejected', ...because('file_too_large') },
  PayloadTooLarge: { kind: 'rejected', ...because('file_too_large') },
  InvalidMimeType: { kind: 'rejected', ...because('file_kind') },
  UpstreamFailure: failed,
  UpstreamTimeout: failed,
  InternalServerError: failed,
}

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const known = body && table[body.error]
  return refuse(known ?? refusalByStatus('Bluesky', reply.status, body?.message), body?.error ?? null, reply, nowMs)
}
