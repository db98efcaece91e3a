import { PlatformError } from '@carillon/connectors'
import { problem } from '../../../infra/problem/problem.ts'

/** What a person is told when a platform does not let us in. A platform that is down is not a refusal. */
export function explainRefusal(error: unknown): never {
  if (!(error instanceof PlatformError)) throw error
  const { kind, message, retryAfterMs } = error
  if (kind === 'auth' || kind === 'rejected' || kind === 'gone') throw problem('connect_refused', { message, cause: error })
  throw problem('unavailable', {
    message,
    cause: error,
    ...(retryAfterMs !== null && { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
  })
}
