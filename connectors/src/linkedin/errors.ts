import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { postUrlOf } from './rest.ts'

const Body = Type.Object({
  message: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  serviceErrorCode: Type.Optional(Type.Number()),
})
const OAuthError = Type.Object({ error: Type.String() })

const dayMs = 86_400_000
const duplicate = 'DUPLICATE_POST'

const reconnect: Refusal = { kind: 'auth', message: 'LinkedIn no longer accepts this connection. Reconnect the account.' }
const badApp: Refusal = {
  kind: 'auth',
  message: 'LinkedIn does not accept the developer app. Its operator has to check id and secret.',
}
const noAccess: Refusal = {
  kind: 'auth',
  message: 'LinkedIn says this connection may not do this. Check the role on the page and the app’s products, then reconnect.',
}
// `limited`, because nothing was sent and the post can go out once the operator has updated Carillon.
const oldVersion: Refusal = {
  kind: 'limited',
  message: 'LinkedIn no longer supports this version of its API. The operator has to update Carillon.',
}
const brokenMedia: Refusal = { kind: 'rejected', message: 'LinkedIn could not process the file.' }

/** By LinkedIn's own codes and by OAuth codes. */
const table: Partial<Record<string, Refusal>> = {
  ACCESS_DENIED: noAccess,
  CONFLICT: { kind: 'unavailable', message: 'LinkedIn was processing another request at the same moment.' },
  EXPIRED_UPLOAD_URL: { kind: 'rejected', message: 'LinkedIn did not receive the file in time. Retry to upload it again.' },
  FIELD_LENGTH_TOO_LONG: { kind: 'rejected', message: 'LinkedIn refused this post because a text in it is too long.' },
  MEDIA_ASSET_WAITING_UPLOAD: { kind: 'unavailable', message: 'LinkedIn is still processing the file.' },
  MEDIA_ASSET_PROCESSING_FAILED: brokenMedia,
  NONEXISTENT_VERSION: oldVersion,
  VERSION_MISSING: oldVersion,
  TOO_MANY_REQUESTS: { kind: 'limited', message: 'LinkedIn asks us to slow down. The post will be sent later.' },
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
  return new PlatformError({ kind: 'rejected', platformCode: `${duplicate}/${urn}`, message, isDuplicate: true, existing })
}

export function failedMedia(): PlatformError {
  return new PlatformError({ ...brokenMedia, platformCode: 'PROCESSING_FAILED' })
}
