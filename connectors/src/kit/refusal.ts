import { PlatformError, type PlatformErrorKind } from './platform-error.ts'
import { retryAfterMs } from './retry-after.ts'

/** One line of a platform's error table. */
export type Refusal = { kind: PlatformErrorKind; message: string }

type Reply = { status: number; headers: Record<string, string> }

/** Makes the error of one refusal, with the wait the platform asked for where waiting helps. */
export function refuse(refusal: Refusal, platformCode: string | null, reply: Reply, nowMs: number): PlatformError {
  const waits = refusal.kind === 'limited' || refusal.kind === 'unavailable'
  return new PlatformError({ ...refusal, platformCode, retryAfterMs: waits ? retryAfterMs(reply.headers, nowMs) : undefined })
}

/** What a status means when the platform's own code is missing or not in its table. */
export function refusalByStatus(platformName: string, status: number, said: string | null = null): Refusal {
  const words = said ? `: ${said.slice(0, 300)}` : '.'
  if (status === 401)
    return { kind: 'auth', message: `${platformName} no longer accepts this connection. Reconnect the account.` }
  if (status === 404 || status === 410) return { kind: 'gone', message: `${platformName} has no such account or post${words}` }
  if (status === 429) return { kind: 'limited', message: `${platformName} asks us to slow down. The post waits its turn.` }
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: 'rejected', message: `${platformName} refused this${words}` }
  // A server that fails may have done the work first; only a look can tell.
  return { kind: 'unknown', message: `${platformName} failed while handling this (status ${status}).` }
}
