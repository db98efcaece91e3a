export type OauthErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'temporarily_unavailable'

/** A refusal in the form that OAuth programs read (RFC 6749, 5.2), and not in that of our API. */
export class OauthError extends Error {
  readonly code: OauthErrorCode
  readonly status: number
  /** For Fastify, where a page and not a program gets the refusal. */
  readonly statusCode: number

  constructor(code: OauthErrorCode, message: string, status = 400) {
    super(message)
    this.name = 'OauthError'
    this.code = code
    this.status = status
    this.statusCode = status
  }
}
