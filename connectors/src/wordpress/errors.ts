import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { cutText } from '../kit/cut-text.ts'
import { textOfHtml } from '../kit/html.ts'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'WordPress'
const because = explainFor(name)

const Body = Type.Object({ code: Type.String(), message: Type.Optional(Type.String()) })

const messageLengthMax = 300

const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
const forbidden: Refusal = { kind: 'auth', ...because('permission_missing') }
const gone: Refusal = { kind: 'gone', ...because('not_found') }
const noFile: Refusal = { kind: 'rejected', ...because('file_unprocessed') }
const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })

/** By WordPress's own codes, whose statuses are not always those of their kind. */
const table: Partial<Record<string, Refusal>> = {
  rest_not_logged_in: reconnect,
  incorrect_password: reconnect,
  invalid_username: reconnect,
  invalid_email: reconnect,
  application_passwords_disabled: reconnect,
  application_passwords_disabled_for_user: reconnect,
  rest_cannot_create: forbidden,
  rest_cannot_publish: forbidden,
  rest_cannot_edit: forbidden,
  rest_cannot_delete: forbidden,
  rest_cannot_assign_term: forbidden,
  rest_forbidden_context: forbidden,
  rest_forbidden_status: forbidden,
  rest_comment_login_required: reconnect,
  rest_post_invalid_id: gone,
  rest_comment_invalid_id: gone,
  rest_comment_invalid_post_id: gone,
  rest_comment_trash_post: gone,
  rest_comment_closed: rejected('comments_off'),
  comment_duplicate: { ...rejected('duplicate'), isDuplicate: true },
  comment_flood: { kind: 'limited', ...because('slow_down') },
  rest_comment_content_invalid: rejected('text_refused'),
  comment_content_column_length: rejected('text_too_long'),
  // What the site does not do with a file has the status of a server that failed.
  rest_upload_unknown_error: noFile,
  rest_upload_sideload_error: noFile,
  rest_upload_image_type_not_supported: rejected('file_kind'),
  rest_upload_file_too_big: rejected('file_too_large'),
  rest_upload_limited_space: rejected('file_too_large'),
}

/** A site that has another address by now. A request that is moved loses what it carries. */
export const movedCode = 'moved'

/** By status, where the body has no known code. A 403 is a firewall's; a 404 is what a server answers whose WordPress is switched off. */
const byStatus: Partial<Record<number, Refusal>> = {
  301: reconnect,
  308: reconnect,
  403: forbidden,
  404: { kind: 'unavailable', ...because('unreachable') },
  413: rejected('file_too_large'),
}

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const said =
    body?.message === undefined ? null : cutText(textOfHtml(cutText(body.message, 2000)).shown.trim(), messageLengthMax)
  const known = (body && Object.hasOwn(table, body.code) ? table[body.code] : undefined) ?? byStatus[reply.status]
  const refusal = known && { ...known, platformMessage: said }
  const code = body?.code ?? (reply.status === 301 || reply.status === 308 ? movedCode : null)
  return refuse(refusal ?? refusalByStatus(name, reply.status, said), code, reply, nowMs)
}

export function reject(reason: FailureReason): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode: null, ...because(reason) })
}
