import { PlatformError } from '@carillon/connectors'
import { problem } from '../../../infra/problem/problem.ts'

/** Turns a platform's error into the answer for the user: `connect_refused` if it refused us, `unavailable` if it may work later. */
export function throwConnectProblem(error: unknown): never {
  if (!(error instanceof PlatformError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'auth' || kind === 'rejected' || kind === 'gone') throw problem('connect_refused', { message, cause: error })
  throw problem('unavailable', {
    message,
    cause: error,
    ...(retryAfterMs !== null && { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
  })
}
