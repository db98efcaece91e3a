import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

export const because = explainFor('Telegram')

const Body = Type.Object({
  error_code: Type.Number(),
  description: Type.String(),
  parameters: Type.Optional(Type.Object({ retry_after: Type.Optional(Type.Number()) })),
})

const reconnect: Refusal = { kind: 'auth', ...because('reconnect') }
export const notAdmitted: Refusal = { kind: 'auth', ...because('bot_not_admitted') }
const tooLong: Refusal = { kind: 'rejected', ...because('text_too_long') }
const gone: Refusal = { kind: 'gone', ...because('not_found') }

/** By status, where it tells enough. An address with a token that cannot be one is not found. */
const byStatus: Partial<Record<number, Refusal>> = {
  401: reconnect,
  403: notAdmitted,
  404: reconnect,
  413: { kind: 'rejected', ...because('file_too_large') },
}

/** There are no codes: a part of the English sentence is all that tells errors apart. The first that is in it counts. */
const bySentence: readonly (readonly [string, Refusal])[] = [
  ['chat not found', notAdmitted],
  ['upgraded to a supergroup', notAdmitted],
  ['administrator rights', notAdmitted],
  ['not enough rights', notAdmitted],
  ['no rights to send', notAdmitted],
  ['CHAT_WRITE_FORBIDDEN', notAdmitted],
  ['CHANNEL_PRIVATE', notAdmitted],
  ['message is too long', tooLong],
  ['caption is too long', tooLong],
  ['CAPTION_TOO_LONG', tooLong],
  ['message to be replied not found', gone],
  ['reply message not found', gone],
  ['message to delete not found', gone],
  ['PHOTO_INVALID_DIMENSIONS', { kind: 'rejected', ...because('file_shape') }],
  ['IMAGE_PROCESS_FAILED', { kind: 'rejected', ...because('file_unprocessed') }],
  ['too big', { kind: 'rejected', ...because('file_too_large') }],
  // One message of an album failed for another reason. People may see the others.
  [
    'failed to send message #',
    { kind: 'unknown', message: 'Telegram refused one file of the album. The others may be published.' },
  ],
]

export const classify: Classify = (reply, nowMs) => {
  const body = Value.Check(Body, reply.body) ? reply.body : null
  const said = body?.description ?? ''
  const found =
    byStatus[reply.status] ?? (reply.status === 400 ? bySentence.find(([part]) => said.includes(part))?.[1] : undefined)
  const refusal = found && { ...found, platformMessage: said || null }
  // The wait is in the body, where other platforms have a header.
  const seconds = body?.parameters?.retry_after
  const headers = seconds === undefined ? reply.headers : { ...reply.headers, 'retry-after': String(seconds) }
  const code = body === null ? null : String(body.error_code)
  return refuse(refusal ?? refusalByStatus('Telegram', reply.status, said || null), code, { ...reply, headers }, nowMs)
}
