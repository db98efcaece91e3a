import { CarillonError } from './carillon-error.ts'

export type Fetch = (request: Request) => Promise<Response>

type Attempt = {
  fetch: Fetch
  /** Builds a new request for every attempt. The signal aborts that attempt. */
  request: (signal: AbortSignal) => Request
  /** The signal of the caller, which cancels the whole call. */
  signal: AbortSignal | undefined
  timeoutMs: number
  /** The name of the server in error messages. */
  serverName: string
}

/**
 * Sends a request once. A missing or incomplete response is returned as an error, so that the caller can decide on a retry. Throws only
 * if the caller aborted the call.
 */
export async function attemptOnce({ fetch, request, signal, timeoutMs, serverName }: Attempt): Promise<Response | CarillonError> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await readCompletely(await fetch(request(signal ? AbortSignal.any([signal, timeout]) : timeout)))
  } catch (cause) {
    // An abort by the caller is not a failure of the request: the caller gets its own reason back.
    if (signal?.aborted) throw signal.reason
    return timeout.aborted ? timedOut(serverName, timeoutMs, cause) : connectionFailed(serverName, cause)
  }
}

/** Reads the whole body before the response counts as received: a response that breaks off halfway is a lost response. */
async function readCompletely(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer()
  const { status, statusText, headers } = response
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers })
}

function connectionFailed(serverName: string, cause: unknown): CarillonError {
  const message = `${serverName} could not be reached, or the connection broke before it answered.`
  return new CarillonError({ code: 'connection_failed', message, status: 0, action: 'retry', retryable: true, cause })
}

function timedOut(serverName: string, timeoutMs: number, cause: unknown): CarillonError {
  const message = `${serverName} did not answer within ${timeoutMs / 1000} s.`
  return new CarillonError({ code: 'timed_out', message, status: 0, action: 'retry', retryable: true, cause })
}
