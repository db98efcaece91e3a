import { requestErrors, type ErrorCode } from '@carillon/contract'

export type Detail = { path: string; message: string }

type More = {
  /** The sentence for the person, when there is a better one than the table's. */
  message?: string
  details?: readonly Detail[]
  retryAfterSeconds?: number
  /** What the log should say besides; never shown. */
  cause?: unknown
}

/** A refusal with a stable code. Thrown anywhere below a route, answered in one place. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly Detail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, more: More = {}) {
    super(more.message ?? requestErrors[code].message, { cause: more.cause })
    this.name = 'Problem'
    this.code = code
    this.status = requestErrors[code].status
    this.details = more.details
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export function problem(code: ErrorCode, more?: More): Problem {
  return new Problem(code, more)
}
