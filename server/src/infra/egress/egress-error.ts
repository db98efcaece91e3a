export type EgressErrorCode =
  | 'blocked_address'
  | 'bad_url'
  | 'timeout'
  | 'too_large'
  | 'connect'
  | 'network'
  | 'tls'
  | 'withdrawn'

type Facts = { sent: boolean; cause?: unknown }

/** Why a request got no whole answer. */
export class EgressError extends Error {
  readonly code: EgressErrorCode
  /** False when certainly not one byte of the request left; true when it may have been acted on. */
  readonly sent: boolean

  constructor(code: EgressErrorCode, message: string, { sent, cause }: Facts) {
    super(message, { cause })
    this.name = 'EgressError'
    this.code = code
    this.sent = sent
  }
}
