import { requestErrors, type ErrorCode } from '@carillon/contract'

export type Detail = { path: string; message: string }

type ProblemOptions = {
  /** The sentence for the caller, if it can be more precise than the default one of the code. */
  message?: string
  details?: readonly Detail[]
  retryAfterSeconds?: number
  /** For the log only; never sent to the caller. */
  cause?: unknown
}

/** An error with a stable code for the caller. It can be thrown anywhere in a request; `answerError` answers it. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly Detail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: ProblemOptions = {}) {
    super(options.message ?? requestErrors[code].message, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = requestErrors[code].status
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export function problem(code: ErrorCode, options?: ProblemOptions): Problem {
  return new Problem(code, options)
}
