import { attemptOnce, type Fetch } from './attempt.ts'
import type { CarillonError } from './carillon-error.ts'
import { readError } from './read-error.ts'
import { repeat, type Patience } from './repeat.ts'

export type RetryPolicy = Patience & {
  fetch: Fetch
  /** How long one attempt may take. */
  timeoutMs: number
}

const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Sends a request until it has an answer worth giving. Every repeat carries the same Idempotency-Key, so that a request whose answer was
 * lost is not done twice. A refusal is thrown.
 */
export function sendWithRetries(request: Request, policy: RetryPolicy): Promise<Response> {
  if (takesKey(request) && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', crypto.randomUUID())
  const { fetch, timeoutMs } = policy
  const again = (signal: AbortSignal) => new Request(request.clone(), { signal })
  return repeat(policy, {
    async attempt() {
      const answer = await attemptOnce({ fetch, request: again, signal: request.signal, timeoutMs, whom: 'Carillon' })
      return answer instanceof Response && !answer.ok ? refusalIn(answer) : answer
    },
    isWorthRepeating,
    signal: request.signal,
  })
}

function takesKey({ method }: Request): boolean {
  return method === 'POST' || method === 'PATCH'
}

async function refusalIn(response: Response): Promise<CarillonError> {
  const body: unknown = await response.json().catch(() => null)
  return readError(response, body)
}

function isWorthRepeating({ code, status }: CarillonError): boolean {
  if (status === 0) return true
  return status === 429 || gatewayStatuses.has(status) || code === 'idempotency_in_flight'
}
