import { attemptOnce } from './attempt-once.ts'
import { CarillonError } from './carillon-error.ts'
import { readError } from './read-error.ts'
import { retry } from './retry.ts'
import type { RetryPolicy } from './send-with-retries.ts'

type Part = { partNumber: number; url: string; bytes: Blob; signal: AbortSignal }

// Unlike for the API, 500 is included: S3-compatible stores ask clients to retry an internal error.
const retryableStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const slowConnectionBytesPerSecond = 50_000

/** Uploads one part of a file to its signed URL, with retries, and gives the ETag of the response. */
export function sendPart({ partNumber, url, bytes, signal }: Part, policy: RetryPolicy): Promise<string> {
  const { fetch } = policy
  return retry(policy, {
    async attempt() {
      // A new request from the Blob instead of a clone: the store needs a Content-Length, and a clone would buffer the body for a retry.
      const request = (attemptSignal: AbortSignal) => new Request(url, { method: 'PUT', body: bytes, signal: attemptSignal })
      const timeoutMs = transferTimeoutMs(bytes, policy.timeoutMs)
      const result = await attemptOnce({ fetch, request, signal, timeoutMs, serverName: 'The file store' })
      return result instanceof Response ? readEtag(result, partNumber) : result
    },
    shouldRetry: ({ status }) => status === 0 || retryableStatuses.has(status),
    signal,
  })
}

/** The timeout for a request with a large body: the usual timeout plus the transfer time over a slow connection. */
export function transferTimeoutMs({ size }: Blob, timeoutMs: number): number {
  return timeoutMs + Math.ceil(size / slowConnectionBytesPerSecond) * 1000
}

async function readEtag(response: Response, partNumber: number): Promise<string | CarillonError> {
  const etag = response.headers.get('ETag')
  if (response.ok && etag !== null) return etag
  if (response.ok) {
    return storeError(
      response,
      `accepted part ${partNumber} but sent no ETag; in a browser, its CORS rules must expose that header`,
    )
  }
  const body: unknown = await response.json().catch(() => null)
  const error = readError(response, body)
  return error.code === 'answer_unreadable' ? storeError(response, `refused part ${partNumber} (HTTP ${response.status})`) : error
}

function storeError({ status }: Response, problem: string): CarillonError {
  const retryable = retryableStatuses.has(status)
  const message = `The file store ${problem}.`
  return new CarillonError({ code: 'store_refused', message, status, action: retryable ? 'retry' : 'contact_support', retryable })
}
