import type { Action, ErrorCode, ErrorDetail } from './types.gen.ts'

/** What the SDK itself has to report: the service never answered, or not in its own words. */
export type LocalErrorCode =
  | 'connection_failed'
  | 'timed_out'
  | 'answer_unreadable'
  | 'store_refused'
  | 'wait_timed_out'
  | 'wait_pointless'

/** Every code known today. A newer service may send others, so a `switch` needs a default. */
export type KnownErrorCode = ErrorCode | LocalErrorCode

export type ErrorFacts = {
  code: KnownErrorCode | (string & {})
  message: string
  /** The HTTP status; 0 when there was no answer. */
  status: number
  action: Action
  retryable: boolean
  details?: readonly ErrorDetail[]
  docUrl?: string | null
  traceId?: string | null
  retryAfterSeconds?: number | null
  cause?: unknown
}

/** Every failure of a call. Go by `code` where you know it, by `action` where you do not. */
export class CarillonError extends Error {
  override readonly name = 'CarillonError'
  readonly code: ErrorFacts['code']
  readonly status: number
  readonly action: Action
  readonly retryable: boolean
  /** Which fields are at fault, and why; empty when it is not about fields. */
  readonly details: readonly ErrorDetail[]
  readonly docUrl: string | null
  /** Quote it when you ask for help. */
  readonly traceId: string | null
  readonly retryAfterSeconds: number | null

  constructor(facts: ErrorFacts) {
    super(facts.message, { cause: facts.cause })
    this.code = facts.code
    this.status = facts.status
    this.action = facts.action
    this.retryable = facts.retryable
    this.details = facts.details ?? []
    this.docUrl = facts.docUrl ?? null
    this.traceId = facts.traceId ?? null
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null
  }
}
