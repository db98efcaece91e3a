import { cutText } from './cut-text.ts'
import { PlatformError, type PlatformErrorKind } from './platform-error.ts'
import { readRetryAfterMs } from './read-retry-after-ms.ts'

/** One row of a platform's error table. */
export type Refusal = {
  kind: PlatformErrorKind
  message: string
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
  const canWait = refusal.kind === 'limited' || refusal.kind === 'unavailable'
  return new PlatformError({
    ...refusal,
    platformCode: platformCode === null ? null : cutText(platformCode, codeLengthMax),
    retryAfterMs: canWait ? readRetryAfterMs(reply.headers, nowMs) : undefined,
  })
}

/** The meaning of a status, when the platform's own code is missing or not in its table. */
export function refusalByStatus(platformName: string, status: number, platformMessage: string | null = null): Refusal {
  const explanation = platformMessage ? `: ${cutText(platformMessage, messageLengthMax)}` : '.'
  if (status === 401)
    return { kind: 'auth', message: `${platformName} no longer accepts this connection. Reconnect the account.` }
  if (status === 404 || status === 410)
    return { kind: 'gone', message: `${platformName} has no such account or post${explanation}` }
  if (status === 429) return { kind: 'limited', message: `${platformName} asks us to slow down. The post will be sent later.` }
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: 'rejected', message: `${platformName} refused this${explanation}` }
  // A server may fail after doing the work. Only reading from the platform can tell.
  return { kind: 'unknown', message: `${platformName} failed while handling this (status ${status}).` }
}
