import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'Lemmy'
const because = explainFor(name)

const Body = Type.Object({ error: Type.String(), message: Type.Optional(Type.String()) })
/** pict-rs, which keeps the images, answers for itself. */
const PictureBody = Type.Object({ msg: Type.String() })

const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })
const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
const slowDown: Refusal = { kind: 'limited', ...because('slow_down') }
const gone: Refusal = { kind: 'gone', ...because('not_found') }
const broken: Refusal = { kind: 'unknown', message: 'Lemmy failed while handling this.' }

/** By Lemmy's own codes: nearly all have the status 400, a limit and a database that failed too. */
const table: Partial<Record<string, Refusal>> = {
  // A token that is not known is answered like a wrong password.
  incorrect_login: reconnect,
  not_logged_in: reconnect,
  instance_is_private: reconnect,
  rate_limit_error: slowDown,
  too_many_requests: slowDown,
  site_ban: rejected('banned'),
  banned: rejected('banned'),
  banned_from_community: rejected('banned'),
  person_is_banned_from_community: rejected('banned'),
  only_mods_can_post_in_community: rejected('role_missing'),
  couldnt_find_post: gone,
  couldnt_find_comment: gone,
  // What is deleted already.
  couldnt_update_post: gone,
  couldnt_update_comment: gone,
  locked: rejected('comments_off'),
  invalid_post_title: rejected('title_refused'),
  invalid_body_field: rejected('text_too_long'),
  alt_text_length_overflow: rejected('text_too_long'),
  not_an_image_type: rejected('file_kind'),
  pictrs_response_error: rejected('file_unprocessed'),
  couldnt_create_post: { kind: 'unavailable', ...because('not_done') },
  couldnt_create_comment: { kind: 'unavailable', ...because('not_done') },
  // The upvote of the author follows a post that is made by then. So may anything that has no name.
  couldnt_like_post: broken,
  couldnt_like_comment: broken,
  unknown: broken,
}

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const picture = Value.Check(PictureBody, reply.body) ? reply.body : null
  const code = body?.error ?? null
  const known = code !== null && Object.hasOwn(table, code) ? table[code] : undefined
  const said = body?.message ?? code ?? picture?.msg
  if (known) return refuse({ ...known, platformMessage: body?.message ?? null }, code, reply, nowMs)
  if (reply.status === 413) return refuse(rejected('file_too_large'), code, reply, nowMs)
  if (picture && reply.status === 400)
    return refuse({ ...rejected('file_unprocessed'), platformMessage: picture.msg }, code, reply, nowMs)
  return refuse(refusalByStatus(name, reply.status, said), code, reply, nowMs)
}

export function reject(reason: FailureReason): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode: null, ...because(reason) })
}

export function needsSignIn(): PlatformError {
  return new PlatformError({ kind: 'auth', platformCode: null, ...because('reconnect') })
}
