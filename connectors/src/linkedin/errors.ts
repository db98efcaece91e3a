import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { postUrlOf } from './rest.ts'

export const because = explainFor('LinkedIn')

const Body = Type.Object({
  message: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  serviceErrorCode: Type.Optional(Type.Number()),
})
const OAuthError = Type.Object({ error: Type.String() })

const dayMs = 86_400_000
const duplicate = 'DUPLICATE_POST'

const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
const badApp: Refusal = {
  kind: 'auth',
  ...because('app_refused'),
}
// Not `auth`: the token is accepted, and a new one would not be allowed more. Other posts of the account may be.
const noAccess: Refusal = {
  kind: 'rejected',
  ...because('role_missing'),
}
// `limited`, because nothing was sent and the post can go out once the operator has updated Carillon.
const oldVersion: Refusal = {
  kind: 'limited',
  ...because('api_version_ended'),
}
const unknownMedia: Refusal = { kind: 'unavailable', ...because('file_processing'), waitsMs: [20_000, 60_000, 300_000] }
const brokenMedia: Refusal = { kind: 'rejected', ...because('file_unprocessed') }

/** By LinkedIn's own codes and by OAuth codes. */
const table: Partial<Record<string, Refusal>> = {
  ACCESS_DENIED: noAccess,
  CONFLICT: { kind: 'unavailable', ...because('busy') },
  EXPIRED_UPLOAD_URL: { kind: 'rejected', ...because('file_late') },
  FIELD_LENGTH_TOO_LONG: { kind: 'rejected', ...because('text_too_long') },
  MEDIA_ASSET_WAITING_UPLOAD: { kind: 'unavailable', ...because('file_processing') },
  MEDIA_ASSET_PROCESSING_FAILED: brokenMedia,
  NONEXISTENT_VERSION: oldVersion,
  VERSION_MISSING: oldVersion,
  TOO_MANY_REQUESTS: { kind: 'limited', ...because('slow_down') },
  invalid_grant: reconnect,
  invalid_request: reconnect,
  invalid_client: badApp,
  unauthorized_client: badApp,
}

export const classify: Classify = (reply, nowMs) => {
  const { status, body } = reply
  const { code, message } = readBody(body)
  const duplicateUrn = status === 422 ? readDuplicateUrn(message) : null
  if (duplicateUrn !== null) return duplicateError(duplicateUrn)
  // What was uploaded seconds ago is said to be forbidden, with the code of a missing permission.
  if (status === 403 && message?.includes('resource is forbidden') === true) return refuse(unknownMedia, code, reply, nowMs)
  const known = (code === null ? undefined : table[code]) ?? (status === 403 ? noAccess : status === 426 ? oldVersion : undefined)
  const headers = { ...(status === 429 && untilMidnight(nowMs)), ...reply.headers }
  return refuse(known ?? refusalByStatus('LinkedIn', status, message), code, { status, headers }, nowMs)
}

/** Limits are per day and end at midnight UTC, but LinkedIn's answer does not name the wait. */
function untilMidnight(nowMs: number): { 'retry-after': string } {
  return { 'retry-after': String(Math.ceil((dayMs - (nowMs % dayMs)) / 1000)) }
}

function readBody(body: unknown): { code: string | null; message: string | null } {
  if (Value.Check(OAuthError, body)) return { code: body.error, message: null }
  if (!Value.Check(Body, body)) return { code: null, message: null }
  return { code: body.code ?? body.serviceErrorCode?.toString() ?? null, message: body.message ?? null }
}

/** The existing post is named only in the message. */
function readDuplicateUrn(message: string | null): string | null {
  return /\burn:li:(?:share|ugcPost):\d+/.exec(message ?? '')?.[0] ?? null
}

function duplicateError(urn: string): PlatformError {
  const postUrl = postUrlOf(urn)
  const message = `LinkedIn refused this post because the same content was posted minutes ago: ${postUrl}`
  const existing = { postId: urn, postUrl }
  return new PlatformError({
    kind: 'rejected',
    platformCode: `${duplicate}/${urn}`,
    reason: 'duplicate',
    message,
    isDuplicate: true,
    existing,
  })
}

export function failedMedia(): PlatformError {
  return new PlatformError({ ...brokenMedia, platformCode: 'PROCESSING_FAILED' })
}
