import { PlatformError, type PlatformErrorKind } from './platform-error.ts'
import { readRetryAfterMs } from './read-retry-after-ms.ts'

/** One line of a platform's error table. */
export type Refusal = { kind: PlatformErrorKind; message: string }

type Reply = { status: number; headers: Record<string, string> }

/** Makes the error of one refusal, with the wait the platform asked for where waiting helps. */
export function refuse(refusal: Refusal, platformCode: string | null, reply: Reply, nowMs: number): PlatformError {
  const canWait = refusal.kind === 'limited' || refusal.kind === 'unavailable'
  return new PlatformError({
    ...refusal,
    platformCode,
    retryAfterMs: canWait ? readRetryAfterMs(reply.headers, nowMs) : undefined,
  })
}

/** What a status means when the platform's own code is missing or not in its table. */
export function refusalByStatus(platformName: string, status: number, platformMessage: string | null = null): Refusal {
  const explanation = platformMessage ? `: ${platformMessage.slice(0, 300)}` : '.'
  if (status === 401)
    return { kind: 'auth', message: `${platformName} no longer accepts this connection. Reconnect the account.` }
  if (status === 404 || status === 410)
    return { kind: 'gone', message: `${platformName} has no such account or post${explanation}` }
  if (status === 429) return { kind: 'limited', message: `${platformName} asks us to slow down. The post will be sent later.` }
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: 'rejected', message: `${platformName} refused this${explanation}` }
  // A server that fails may have done the work first; only a look can tell.
  return { kind: 'unknown', message: `${platformName} failed while handling this (status ${status}).` }
}
