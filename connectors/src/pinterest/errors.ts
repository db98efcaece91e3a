import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'Pinterest'
export const because = explainFor(name)

const Body = Type.Object({ code: Type.Optional(Type.Number()), message: Type.Optional(Type.String()) })

const rejected = (reason: FailureReason): Refusal => ({ kind: 'rejected', ...because(reason) })
const noBoard: Refusal = {
  ...rejected('refused'),
  message: 'Pinterest has no such board, or does not let this account save pins on it.',
}

/** The numbers are documented nowhere. These are in the example answers of the API's description, and in reports of others. */
const table: Partial<Record<number, Refusal>> = {
  2: { kind: 'auth', ...because('reconnect') },
  3: { kind: 'auth', ...because('permission_missing') },
  8: { kind: 'limited', ...because('slow_down') },
  29: {
    ...rejected('app_permission_missing'),
    message:
      'The Pinterest app has Trial access, with which nobody can make pins. Its operator has to apply for Standard access, or use the sandbox.',
  },
  40: noBoard,
  50: { kind: 'gone', ...because('not_found') },
  283: { kind: 'auth', ...because('reconnect') },
}

/** Most refusals of a pin have the number 1 and differ in their sentences. */
const sentences: readonly [sign: RegExp, refusal: Refusal][] = [
  // With the status 401, although the token is right.
  [/permission to edit that board/i, noBoard],
  [/doesn['’]t allow you to save/i, { ...rejected('spam'), message: 'Pinterest takes no pins with a link to this site.' }],
  [/media is not ready/i, { kind: 'unavailable', ...because('file_processing'), waitsMs: [5_000, 15_000, 60_000] }],
  // Pinterest does not take the picture, or could not store it just now.
  [/could not (?:fetch|process) (?:the|this) image/i, { ...rejected('file_unprocessed'), isTemporary: true }],
  [/image is too small/i, rejected('file_size')],
]

export const classify: Classify = (reply, nowMs) => {
  const { code = null, message: said = null } = Value.Check(Body, reply.body) ? reply.body : {}
  const bySentence = said === null ? undefined : sentences.find(([sign]) => sign.test(said))?.[1]
  const known = bySentence ?? (code === null ? undefined : table[code])
  const isDecided = known !== undefined && reply.status < 500
  const refusal = isDecided ? { ...known, platformMessage: said } : refusalByStatus(name, reply.status, said)
  return refuse(refusal, code === null ? String(reply.status) : String(code), reply, nowMs)
}
