import type { Action, ErrorCode, ErrorDetail, Post } from './types.gen.ts'

/** The codes of errors that the SDK itself reports, for example if there was no response. */
export type LocalErrorCode =
  | 'connection_failed'
  | 'timed_out'
  | 'answer_unreadable'
  | 'store_refused'
  | 'wait_timed_out'
  | 'wait_pointless'

/** All codes known to this version of the SDK. A newer service may send others, so a `switch` needs a default case. */
export type KnownErrorCode = ErrorCode | LocalErrorCode

export type CarillonErrorInit = {
  code: KnownErrorCode | (string & {})
  message: string
  /** The HTTP status, or 0 if there was no response. */
  status: number
  action: Action
  retryable: boolean
  details?: readonly ErrorDetail[]
  current?: Post | null
  docUrl?: string | null
  traceId?: string | null
  retryAfterSeconds?: number | null
  cause?: unknown
}

/** Every failed call throws this error. Decide by `code`; for a code that you do not know, decide by `action`. */
export class CarillonError extends Error {
  override readonly name = 'CarillonError'
  readonly code: CarillonErrorInit['code']
  readonly status: number
  readonly action: Action
  readonly retryable: boolean
  /** The invalid fields and the reasons. Empty if the error is not about fields. */
  readonly details: readonly ErrorDetail[]
  /** With `draft_changed`: the draft as it is now. */
  readonly current: Post | null
  readonly docUrl: string | null
  /** The id of the request. Include it when you contact support. */
  readonly traceId: string | null
  readonly retryAfterSeconds: number | null

  constructor(init: CarillonErrorInit) {
    super(init.message, { cause: init.cause })
    this.code = init.code
    this.status = init.status
    this.action = init.action
    this.retryable = init.retryable
    this.details = init.details ?? []
    this.current = init.current ?? null
    this.docUrl = init.docUrl ?? null
    this.traceId = init.traceId ?? null
    this.retryAfterSeconds = init.retryAfterSeconds ?? null
  }
}
