import type { FailureReason } from '@carillon/contract'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { OAuthFailure, oauthReasons } from '../google/oauth-failure.ts'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError, type PlatformErrorKind } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { BadRequest, ErrorInfo, Failure, RetryInfo, ValidationError } from './wire.ts'

const name = 'Google Business Profile'
export const because = explainFor(name)

const row = (kind: PlatformErrorKind, reason: FailureReason): Refusal => ({ kind, ...because(reason) })

/** A quota of 0 and a service that is off have the same remedy. Neither passes by itself, and none of it is about the account. */
const notApproved: Refusal = {
  ...row('rejected', 'app_permission_missing'),
  message:
    'Google has not approved the project of the developer app for these APIs, or one of them is not enabled. Its operator has to apply for access, ' +
    'and to enable the Google My Business API.',
}

/** By the reason in google.rpc.ErrorInfo, the status of google.rpc.Code, and the errors of the token endpoint. */
const table: Partial<Record<string, Refusal>> = {
  invalid_grant: row('auth', oauthReasons.invalid_grant),
  invalid_client: row('auth', oauthReasons.invalid_client),
  unauthorized_client: row('auth', oauthReasons.unauthorized_client),
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: row('auth', 'permission_missing'),
  SERVICE_DISABLED: notApproved,
  UNAUTHENTICATED: row('auth', 'reconnect'),
  PERMISSION_DENIED: row('auth', 'role_missing'),
  NOT_FOUND: row('gone', 'not_found'),
  RESOURCE_EXHAUSTED: row('limited', 'slow_down'),
}

/** The quota is counted by the minute. */
const quotaWaitSeconds = 60

export const classify: Classify = ({ status, headers, body }, nowMs) => {
  const failure = Value.Check(Failure, body) ? body.error : null
  const find = <Schema extends TSchema>(schema: Schema) => findDetail(failure?.details ?? [], schema)
  const info = find(ErrorInfo)
  const oauthError = Value.Check(OAuthFailure, body) ? body.error : null
  const codes = [info?.reason, failure?.status, oauthError].filter((each) => typeof each === 'string')
  const code = codes.find((each) => table[each] !== undefined) ?? codes[0] ?? null
  const isWithoutQuota = status === 429 && info?.metadata?.quota_limit_value === '0'
  // A server may fail after doing the work, whatever it calls that.
  const known = status >= 500 ? undefined : isWithoutQuota ? notApproved : code === null ? undefined : table[code]
  const said = saidOf(failure?.message, (find(ValidationError)?.errorDetails ?? find(BadRequest)?.fieldViolations)?.[0])
  const wait = /^(\d+(?:\.\d+)?)s$/.exec(find(RetryInfo)?.retryDelay ?? '')?.[1]
  const named = status === 429 ? { 'retry-after': String(Math.ceil(Number(wait ?? quotaWaitSeconds))) } : {}
  return refuse(known ?? refusalByStatus(name, status, said), code, { status, headers: { ...named, ...headers } }, nowMs)
}

function findDetail<Schema extends TSchema>(details: readonly unknown[], schema: Schema): Static<Schema> | undefined {
  return details.find((each): each is Static<Schema> => Value.Check(schema, each))
}

/** The sentence about one field says more than the one about the request. */
function saidOf(message: string | undefined, violation: { message?: string; description?: string } | undefined): string | null {
  return violation?.message ?? violation?.description ?? message ?? null
}

/** The API names no reason: "This post was rejected due to content policy violation" is all that its documentation says of the state. */
export function rejectedPost(): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode: 'REJECTED', ...because('review_refused') })
}
