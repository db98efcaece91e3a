import { cutText } from './cut-text.ts'
import type { FailureReason } from '@carillon/contract'
import { explainFor, PlatformError, type PlatformErrorKind } from './platform-error.ts'
import { readRetryAfterMs } from './read-retry-after-ms.ts'

/** One row of a platform's error table. */
export type Refusal = {
  kind: PlatformErrorKind
  message: string
  reason?: FailureReason
  platformMessage?: string | null
  isTemporary?: boolean
  isDuplicate?: boolean
  waitsMs?: readonly number[]
}

/** Longer than any known code. A self-hosted server can send any text as its code. */
const codeLengthMax = 200
const messageLengthMax = 300

type Reply = { status: number; headers: Record<string, string> }

/** Creates the error of a refusal. It names the platform's wait if the call may work later. */
export function refuse(refusal: Refusal, platformCode: string | null, reply: Reply, nowMs: number): PlatformError {
  // A row with waits of its own knows better: every answer of some platforms says when their limit ends.
  const canWait = refusal.kind === 'limited' || (refusal.kind === 'unavailable' && refusal.waitsMs === undefined)
  return new PlatformError({
    ...refusal,
    platformCode: platformCode === null ? null : cutText(platformCode, codeLengthMax),
    retryAfterMs: canWait ? readRetryAfterMs(reply.headers, nowMs) : undefined,
  })
}

/** The meaning of a status, when the platform's own code is missing or not in its table. */
export function refusalByStatus(platformName: string, status: number, platformMessage: string | null = null): Refusal {
  const said = platformMessage ? cutText(platformMessage, messageLengthMax) : null
  const because = explainFor(platformName)
  /** Our sentence, with the platform's words in place of its full stop. */
  const quoting = (reason: FailureReason) => {
    const { message } = because(reason)
    return { reason, message: said === null ? message : message.replace(/\.$/, `: ${said}`), platformMessage: said }
  }
  if (status === 401) return { kind: 'auth', ...because('reconnect') }
  if (status === 404 || status === 410) return { kind: 'gone', ...quoting('not_found') }
  if (status === 429) return { kind: 'limited', ...because('slow_down') }
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'rejected', ...quoting('refused') }
  // A server may fail after doing the work. Only reading from the platform can tell.
  return { kind: 'unknown', message: `${platformName} failed while handling this (status ${status}).` }
}
