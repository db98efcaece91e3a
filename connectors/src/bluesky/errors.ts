import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const Body = Type.Object({ error: Type.String(), message: Type.Optional(Type.String()) })

const reconnect: Refusal = {
  kind: 'auth',
  message: 'Bluesky does not accept this sign-in. Connect again with the handle and a new app password.',
}
const failed: Refusal = { kind: 'unknown', message: 'Bluesky failed while handling this.' }

/** By the name in the body's `error` field, which the lexicons define. */
const table: Partial<Record<string, Refusal>> = {
  ExpiredToken: { kind: 'auth', message: 'The Bluesky session has ended and must be renewed.' },
  InvalidToken: reconnect,
  AuthenticationRequired: reconnect,
  AuthMissing: reconnect,
  AuthFactorTokenRequired: { kind: 'auth', message: 'This Bluesky account asks for a second factor. Use an app password.' },
  AccountTakedown: { kind: 'gone', message: 'Bluesky has taken this account down.' },
  AccountDeactivated: { kind: 'gone', message: 'This Bluesky account is deactivated.' },
  AccountSuspended: { kind: 'gone', message: 'Bluesky has suspended this account.' },
  RepoNotFound: { kind: 'gone', message: 'This Bluesky account is no longer on its server.' },
  RecordNotFound: { kind: 'gone', message: 'The Bluesky post no longer exists.' },
  RateLimitExceeded: { kind: 'limited', message: 'Bluesky asks us to slow down. The post will be sent later.' },
  BlobTooLarge: { kind: 'rejected', message: 'Bluesky refused this post because a file is too large.' },
  PayloadTooLarge: { kind: 'rejected', message: 'Bluesky refused this post because a file is too large.' },
  InvalidMimeType: { kind: 'rejected', message: 'Bluesky refused this post because it does not accept this kind of file.' },
  UpstreamFailure: failed,
  UpstreamTimeout: failed,
  InternalServerError: failed,
}

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const known = body && table[body.error]
  return refuse(known ?? refusalByStatus('Bluesky', reply.status, body?.message), body?.error ?? null, reply, nowMs)
}
