import type { FailureReason } from '@carillon/contract'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Call, Classify, Http } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'
import { Failure } from './wire.ts'

const because = explainFor('Slack')

const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
const noScope: Refusal = { kind: 'auth', ...because('permission_missing') }
export const notAdmitted: Refusal = { kind: 'auth', ...because('bot_not_admitted') }
const gone: Refusal = { kind: 'gone', ...because('not_found') }
const unknown: Refusal = { kind: 'unknown', message: 'Slack failed while handling this.' }
const unavailable: Refusal = { kind: 'unavailable', ...because('unreachable') }
const limited: Refusal = { kind: 'limited', ...because('slow_down') }
const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })

/** By Slack's own words. */
const table: Partial<Record<string, Refusal>> = {
  not_authed: reconnect,
  invalid_auth: reconnect,
  account_inactive: reconnect,
  token_revoked: reconnect,
  token_expired: reconnect,
  org_login_required: reconnect,
  team_added_to_org: reconnect,
  ekm_access_denied: reconnect,
  missing_scope: noScope,
  no_permission: noScope,
  not_allowed_token_type: noScope,
  channel_not_found: notAdmitted,
  not_in_channel: notAdmitted,
  is_archived: notAdmitted,
  restricted_action: notAdmitted,
  restricted_action_read_only_channel: notAdmitted,
  restricted_action_thread_only_channel: notAdmitted,
  posting_to_channel_denied: notAdmitted,
  thread_not_found: gone,
  message_not_found: gone,
  cannot_reply_to_message: gone,
  restricted_action_non_threadable_channel: rejected('comments_off'),
  restricted_action_thread_locked: rejected('comments_off'),
  msg_too_long: rejected('text_too_long'),
  alt_txt_too_large: rejected('text_too_long'),
  file_type_not_allowed: rejected('file_kind'),
  file_uploads_disabled: rejected('file_kind'),
  file_uploads_except_images_disabled: rejected('file_kind'),
  file_upload_size_restricted: rejected('file_too_large'),
  // What was uploaded is gone, or never arrived.
  file_not_found: { ...rejected('file_late'), isTemporary: true },
  ratelimited: limited,
  rate_limited: limited,
  service_unavailable: unavailable,
  request_timeout: unavailable,
  team_access_not_granted: reconnect,
  // Slack says of these that a part of the work may have been done.
  internal_error: unknown,
  fatal_error: unknown,
}

const scopeForm = /^[a-z.]+:[a-z.:]+(?:,[a-z.]+:[a-z.:]+)*$/
const scopesLengthMax = 200

/** The refusal of a call for which the app lacks a scope. Slack names it, or several of which one is enough. */
function lacking(needed: unknown): Refusal {
  if (typeof needed !== 'string' || needed.length > scopesLengthMax || !scopeForm.test(needed)) return noScope
  const scopes = needed.replaceAll(',', ' or ')
  const message = `The Slack app lacks the scope ${scopes}. Add it, install the app again, and reconnect.`
  return { ...noScope, message, platformMessage: `missing_scope: ${needed}` }
}

export const classify: Classify = (reply, nowMs) => {
  const failure = Value.Check(Failure, reply.body) ? reply.body : null
  const code = failure?.error ?? null
  if (failure && code === 'missing_scope') return refuse(lacking(failure.needed), code, reply, nowMs)
  // A word that is not in the table is a refusal, although its status is that of a success.
  const status = reply.status < 300 ? 400 : reply.status
  const refusal = (code === null ? undefined : table[code]) ?? refusalByStatus('Slack', status, code)
  return refuse(refusal, code, reply, nowMs)
}

type Answer<Schema extends TSchema> = Exclude<Static<Schema>, Static<typeof Failure>>

/** Makes a call. Slack answers a refusal with status 200 too. */
export async function callSlack<Schema extends TSchema>(http: Http, call: Call<Schema>): Promise<Answer<Schema>> {
  return (await exchangeWithSlack(http, call)).body
}

export async function exchangeWithSlack<Schema extends TSchema>(
  http: Http,
  call: Call<Schema>,
): Promise<{ headers: Record<string, string>; body: Answer<Schema> }> {
  const { headers, body } = await http.exchange(call)
  if (!Value.Check(Failure, body)) return { headers, body: body as Answer<Schema> }
  const error = classify({ status: 200, headers, body }, http.nowMs())
  // A read changes nothing, so it can be repeated.
  if (call.method !== 'GET' || error.kind !== 'unknown') throw error
  throw new PlatformError({ kind: 'unavailable', platformCode: error.platformCode, message: error.message })
}
