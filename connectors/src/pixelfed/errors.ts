import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'Pixelfed'
const because = explainFor(name)

/** The token endpoint has codes. Everything else has a sentence, in English. */
const Body = Type.Object({ error: Type.Optional(Type.String()), message: Type.Optional(Type.String()) })

const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })
const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }

const tokenCodes: Partial<Record<string, Refusal>> = {
  invalid_client: reconnect,
  invalid_grant: reconnect,
  // For a refresh token that is not known.
  invalid_request: reconnect,
}

/** Sentences of app/Http/Controllers/Api/ApiV1Controller.php, of 2024-03-10. */
const sentences: readonly (readonly [RegExp, Refusal])[] = [
  // Each file belongs to one post. An earlier attempt may have made it.
  [/^(?:Invalid media_ids?|Invalid media ids?|Duplicate idempotency key)/, { ...rejected('duplicate'), isDuplicate: true }],
  [
    /^Account size limit reached/,
    {
      ...rejected('refused'),
      message: 'The storage of this Pixelfed account is full. Delete posts there, or ask who runs the server.',
    },
  ],
  [/^Empty statuses are not allowed/, rejected('text_alone')],
  [/^Invalid permissions for this action/, { kind: 'auth', ...because('permission_missing') }],
  [/^Invalid or unsupported mime type|must be a file of type/, rejected('file_kind')],
  [/^The file must not be greater than/, rejected('file_too_large')],
  [/^The (?:status|spoiler text|description) must not be greater than/, rejected('text_too_long')],
  [/^Comments have been disabled|^Cannot reply to this post/, rejected('comments_off')],
]

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const said = body?.message ?? body?.error ?? (reply.status === 422 && typeof reply.body === 'string' ? reply.body : null)
  const code = body?.error ?? null
  const token = code !== null && Object.hasOwn(tokenCodes, code) ? tokenCodes[code] : undefined
  const known = token ?? (reply.status < 500 ? sentences.find(([sentence]) => sentence.test(said ?? ''))?.[1] : undefined)
  const refusal = known ? { ...known, platformMessage: said } : byStatus(reply.status, said)
  return refuse(refusal, token && code !== null ? code : String(reply.status), reply, nowMs)
}

/** Files that the server has on a list of those that it does not take are 451. A permission that is missing has no sentence. */
function byStatus(status: number, said: string | null): Refusal {
  if (status === 451) return rejected('file_kind')
  if (status === 403) return { kind: 'auth', ...because('permission_missing') }
  return refusalByStatus(name, status, said)
}

export function reject(reason: FailureReason): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode: null, ...because(reason) })
}

export function neverOpened(): PlatformError {
  const message = 'This Pixelfed account was never used. Sign in to its server in a browser once, then retry.'
  return new PlatformError({ kind: 'rejected', platformCode: 'never_used', message })
}
