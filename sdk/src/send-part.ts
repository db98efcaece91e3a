import { attemptOnce } from './attempt.ts'
import { CarillonError } from './carillon-error.ts'
import { readError } from './read-error.ts'
import { repeat } from './repeat.ts'
import type { RetryPolicy } from './send-with-retries.ts'

export type Part = { partNumber: number; url: string; bytes: Blob; signal: AbortSignal }

// A store asks for a repeat of what it calls an internal error too.
const passingStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])
const slowLineBytesPerSecond = 50_000

/** Sends one part of a file to its signed address, again where it got lost, and gives the ETag it was answered with. */
export function sendPart({ partNumber, url, bytes, signal }: Part, policy: RetryPolicy): Promise<string> {
  const { fetch } = policy
  return repeat(policy, {
    async attempt() {
      // The part itself, not a copy of a request: a store wants to know its length beforehand, and nothing need be kept for a repeat.
      const request = (ends: AbortSignal) => new Request(url, { method: 'PUT', body: bytes, signal: ends })
      const timeoutMs = timeFor(bytes, policy.timeoutMs)
      const answer = await attemptOnce({ fetch, request, signal, timeoutMs, whom: 'The file store' })
      return answer instanceof Response ? etagIn(answer, partNumber) : answer
    },
    isWorthRepeating: ({ status }) => status === 0 || passingStatuses.has(status),
    signal,
  })
}

/** What a request with so many bytes may take: its usual time, and that of a slow line. */
export function timeFor({ size }: Blob, timeoutMs: number): number {
  return timeoutMs + Math.ceil(size / slowLineBytesPerSecond) * 1000
}

async function etagIn(response: Response, partNumber: number): Promise<string | CarillonError> {
  const etag = response.headers.get('ETag')
  if (response.ok && etag !== null) return etag
  if (response.ok)
    return refused(response, `took part ${partNumber} but gave no ETag; in a browser, its CORS rules must expose it`)
  const body: unknown = await response.json().catch(() => null)
  const told = readError(response, body)
  return told.code === 'answer_unreadable' ? refused(response, `refused part ${partNumber} (HTTP ${response.status})`) : told
}

function refused({ status }: Response, what: string): CarillonError {
  const retryable = passingStatuses.has(status)
  const message = `The file store ${what}.`
  return new CarillonError({ code: 'store_refused', message, status, action: retryable ? 'retry' : 'contact_support', retryable })
}
