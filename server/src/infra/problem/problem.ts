import { type ErrorCode, requestErrors } from '@carillon/contract'

/** An invalid field. `code` and `params` let a client write its own sentence. */
export type Detail = { path: string; message: string; code?: string; params?: Readonly<Record<string, unknown>> }

type ProblemOptions = {
  /** The sentence for the caller, if it can be more precise than the default one of the code. */
  message?: string
  details?: readonly Detail[]
  /** The current state of what the caller wanted to change, in the shape of the API. */
  current?: unknown
  retryAfterSeconds?: number
  /** For the log only; never sent to the caller. */
  cause?: unknown
}

const detailsMax = 200
const pathLengthMax = 200
const messageLengthMax = 1000

/** Details are answered and logged, and some contain what the caller sent: a request must not cause an answer many times its size. */
function capDetails(details: readonly Detail[]): Detail[] {
  const kept = details
    .slice(0, detailsMax)
    .map(({ path, message, ...rest }) => ({ ...rest, path: cut(path, pathLengthMax), message: cut(message, messageLengthMax) }))
  return details.length > detailsMax
    ? [...kept, { path: 'body', message: 'There are more problems, which are not listed.' }]
    : kept
}

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`
}

/** An error with a stable code for the caller. It can be thrown anywhere in a request; `answerError` answers it. */
export class Problem extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly Detail[] | undefined
  readonly current: unknown
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, options: ProblemOptions = {}) {
    super(options.message ?? requestErrors[code].message, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.status = requestErrors[code].status
    this.details = options.details && capDetails(options.details)
    this.current = options.current
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export function problem(code: ErrorCode, options?: ProblemOptions): Problem {
  return new Problem(code, options)
}

/** The program cannot start, or do what it was asked, as it is configured. The message tells operators what to do; no stack is printed. */
export class StartError extends Error {}
