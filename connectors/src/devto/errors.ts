import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Classify } from '../kit/http.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'DEV'
const because = explainFor(name)

const Body = Type.Object({ error: Type.String() })

const duplicate: Refusal = { kind: 'rejected', ...because('duplicate'), isDuplicate: true }

/** Forem has no codes, so its English sentences are compared. A site in another language gets the row of its status. */
const sentences: readonly (readonly [RegExp, Refusal])[] = [
  [/^title has already been used in the last five minutes/i, duplicate],
  [/^canonical url has already been taken/i, duplicate],
  [/^title (?:is too long|can't be blank)/i, { kind: 'rejected', ...because('title_refused') }],
  [/^tag\b/i, { kind: 'rejected', ...because('tags_refused') }],
  [/^body markdown is too long/i, { kind: 'rejected', ...because('text_too_long') }],
]

export const classify: Classify = (reply, nowMs) => {
  const said = Value.Check(Body, reply.body) ? reply.body.error : null
  const known = reply.status === 422 ? sentences.find(([sentence]) => sentence.test(said ?? ''))?.[1] : undefined
  const refusal = known && { ...known, platformMessage: said }
  return refuse(refusal ?? refusalByStatus(name, reply.status, said), String(reply.status), reply, nowMs)
}

export function tooLong(): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode: null, ...because('text_too_long') })
}
