import { attemptOnce, type Fetch } from './attempt-once.ts'
import type { CarillonError } from './carillon-error.ts'
import { readError } from './read-error.ts'
import { retry, type RetryLimits } from './retry.ts'

export type RetryPolicy = RetryLimits & {
  fetch: Fetch
  /** The timeout of one attempt. */
  timeoutMs: number
}

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Sends a request, with retries, and gives the successful response; an error response is thrown. Every attempt carries the same
 * Idempotency-Key, so that a request whose response was lost is not executed twice.
 */
export function sendWithRetries(request: Request, policy: RetryPolicy): Promise<Response> {
  if (acceptsIdempotencyKey(request) && !request.headers.has('Idempotency-Key')) {
    request.headers.set('Idempotency-Key', crypto.randomUUID())
  }
  const { fetch, timeoutMs } = policy
  const copyRequest = (signal: AbortSignal) => new Request(request.clone(), { signal })
  return retry(policy, {
    async attempt() {
      const result = await attemptOnce({
        fetch,
        request: copyRequest,
        signal: request.signal,
        timeoutMs,
        serverName: 'Carillon',
      })
      return result instanceof Response && !result.ok ? readErrorResponse(result) : result
    },
    shouldRetry,
    signal: request.signal,
  })
}

function acceptsIdempotencyKey({ method }: Request): boolean {
  return method === 'POST' || method === 'PATCH'
}

async function readErrorResponse(response: Response): Promise<CarillonError> {
  const body: unknown = await response.json().catch(() => null)
  return readError(response, body)
}

function shouldRetry({ code, status }: CarillonError): boolean {
  // Status 0 means that there was no response.
  if (status === 0) return true
  return status === 429 || gatewayStatuses.has(status) || code === 'idempotency_in_flight'
}
