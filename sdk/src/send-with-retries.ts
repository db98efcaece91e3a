import { CarillonError } from './carillon-error.ts'
import { readError } from './read-error.ts'
import { sleep } from './sleep.ts'

export type RetryPolicy = {
  fetch: (request: Request) => Promise<Response>
  /** How often a call is repeated at most. */
  retries: number
  /** The wait before the first repeat; it doubles from there. */
  retryDelayMs: number
  /** How long one attempt may take. */
  timeoutMs: number
}

const backoffMsMax = 10_000
// Longer than the service's own window: who is told to wait more than this should decide that for himself.
const waitMsMax = 60_000
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Sends a request until it has an answer worth giving. Every repeat carries the same Idempotency-Key, so that a request whose answer was
 * lost is not done twice.
 */
export async function sendWithRetries(request: Request, policy: RetryPolicy): Promise<Response> {
  if (takesKey(request) && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', crypto.randomUUID())
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce(request, policy)
    const waitMs = attempt < policy.retries ? await waitBeforeRepeat(outcome, attempt, policy) : null
    if (waitMs !== null) await sleep(waitMs, request.signal)
    else if (outcome instanceof CarillonError) throw outcome
    else return outcome
  }
}

function takesKey({ method }: Request): boolean {
  return method === 'POST' || method === 'PATCH'
}

async function attemptOnce(request: Request, { fetch, timeoutMs }: RetryPolicy): Promise<Response | CarillonError> {
  const tooLong = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([request.signal, tooLong])
  try {
    return await readWhole(await fetch(new Request(request.clone(), { signal })))
  } catch (cause) {
    // The caller gave up: that is an answer to nobody, and no failure of ours.
    if (request.signal.aborted) throw request.signal.reason
    return tooLong.aborted ? timedOut(timeoutMs, cause) : connectionFailed(cause)
  }
}

/** An answer that breaks off halfway is a lost answer, so all of it is read before it counts. */
async function readWhole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer()
  const { status, statusText, headers } = response
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers })
}

async function waitBeforeRepeat(
  outcome: Response | CarillonError,
  attempt: number,
  { retryDelayMs }: RetryPolicy,
): Promise<number | null> {
  const error = outcome instanceof CarillonError ? outcome : await refusalIn(outcome)
  if (!error || !isWorthRepeating(error)) return null
  if (error.retryAfterSeconds === null) return Math.min(retryDelayMs * 2 ** attempt, backoffMsMax) * between(0.5, 1)
  const waitMs = error.retryAfterSeconds * 1000
  // A little later than told, and not all clients at once.
  return waitMs > waitMsMax ? null : waitMs + retryDelayMs * between(0, 1)
}

async function refusalIn(response: Response): Promise<CarillonError | null> {
  if (response.ok) return null
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return readError(response, body)
}

function isWorthRepeating({ code, status }: CarillonError): boolean {
  if (status === 0) return true
  return status === 429 || gatewayStatuses.has(status) || code === 'idempotency_in_flight'
}

function between(low: number, high: number): number {
  return low + Math.random() * (high - low)
}

function connectionFailed(cause: unknown): CarillonError {
  const message = 'Carillon could not be reached, or the connection broke before it answered.'
  return new CarillonError({ code: 'connection_failed', message, status: 0, action: 'retry', retryable: true, cause })
}

function timedOut(timeoutMs: number, cause: unknown): CarillonError {
  const message = `Carillon did not answer within ${timeoutMs / 1000} s.`
  return new CarillonError({ code: 'timed_out', message, status: 0, action: 'retry', retryable: true, cause })
}
