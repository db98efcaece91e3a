import type { FailureReason } from '@carillon/contract'
import { Type } from 'typebox'
import { cutText } from '../kit/cut-text.ts'
import type { Classify } from '../kit/http.ts'
import { isOfShape } from '../kit/is-of-shape.ts'
import { explainFor, PlatformError } from '../kit/platform-error.ts'
import { type Refusal, refusalByStatus, refuse } from '../kit/refusal.ts'

const name = 'Nostr'
export const because = explainFor(name)

const messageLengthMax = 300

/** The words before the colon, by which programs tell refusals of a relay apart (NIP-01, NIP-42). */
const table: Readonly<Record<string, Refusal>> = {
  'rate-limited': { kind: 'limited', ...because('slow_down') },
  // Asked for after signing in to the relay failed, or where it cannot be done.
  'auth-required': { kind: 'auth', ...because('reconnect') },
  // The relay knows who writes, and does not let them: somebody has to join it, or leave it out.
  restricted: { kind: 'auth', ...because('reconnect') },
  // The relay failed, and may have kept the event.
  error: { kind: 'unknown', message: 'The relay failed while handling this.' },
}

/** What a relay says to an event that it did not take, or to a question that it does not answer. */
export function refusedBy(said: string, nowMs: number): PlatformError {
  const [, prefix = ''] = /^([a-z-]{1,40}):/.exec(said) ?? []
  const words = cutText(said, messageLengthMax)
  const known = Object.hasOwn(table, prefix) ? table[prefix] : undefined
  const refusal = known ?? { kind: 'rejected', ...because(reasonOf(said)) }
  return refuse({ ...refusal, platformMessage: words }, prefix || null, { status: 400, headers: waitOf(said) }, nowMs)
}

function reasonOf(said: string): FailureReason {
  return /too (?:large|long|big)/i.test(said) ? 'text_too_long' : 'refused'
}

/** Relays have no field for a wait; some write it. */
function waitOf(said: string): Record<string, string> {
  const [, seconds] = /\b(\d{1,5}) ?s(?:ec(?:ond)?s?)?\b/i.exec(said) ?? []
  return seconds === undefined ? {} : { 'retry-after': seconds }
}

const Body = Type.Object({ message: Type.String() })

/** What a media server answers (BUD-02): a reason in a header, on some in a body. */
export const classify: Classify = (reply, nowMs) => {
  const { status, headers, body } = reply
  const said = headers['x-reason'] ?? (isOfShape(Body, body) ? body.message : null)
  const reasons: Readonly<Record<number, FailureReason>> = { 413: 'file_too_large', 415: 'file_kind' }
  const reason = reasons[status]
  const refusal: Refusal = reason ? { kind: 'rejected', ...because(reason) } : refusalByStatus(name, status, said)
  return refuse(refusal, String(status), reply, nowMs)
}

export function reject(reason: FailureReason): PlatformError {
  return new PlatformError({ kind: 'rejected', platformCode: null, ...because(reason) })
}
