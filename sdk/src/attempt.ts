import { CarillonError } from './carillon-error.ts'

export type Fetch = (request: Request) => Promise<Response>

type Attempt = {
  fetch: Fetch
  /** Made anew for every attempt, with the signal that ends it. */
  request: (signal: AbortSignal) => Request
  /** The caller's own wish to stop. */
  signal: AbortSignal | undefined
  timeoutMs: number
  /** Who is asked, for the messages. */
  whom: string
}

/** Sends a request once. No answer, or half of one, is an error to be looked at; only the caller's giving up is thrown. */
export async function attemptOnce({ fetch, request, signal, timeoutMs, whom }: Attempt): Promise<Response | CarillonError> {
  const tooLong = AbortSignal.timeout(timeoutMs)
  try {
    return await readWhole(await fetch(request(signal ? AbortSignal.any([signal, tooLong]) : tooLong)))
  } catch (cause) {
    // The caller gave up: that is an answer to nobody, and no failure of ours.
    if (signal?.aborted) throw signal.reason
    return tooLong.aborted ? timedOut(whom, timeoutMs, cause) : connectionFailed(whom, cause)
  }
}

/** An answer that breaks off halfway is a lost answer, so all of it is read before it counts. */
async function readWhole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer()
  const { status, statusText, headers } = response
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers })
}

function connectionFailed(whom: string, cause: unknown): CarillonError {
  const message = `${whom} could not be reached, or the connection broke before it answered.`
  return new CarillonError({ code: 'connection_failed', message, status: 0, action: 'retry', retryable: true, cause })
}

function timedOut(whom: string, timeoutMs: number, cause: unknown): CarillonError {
  const message = `${whom} did not answer within ${timeoutMs / 1000} s.`
  return new CarillonError({ code: 'timed_out', message, status: 0, action: 'retry', retryable: true, cause })
}
