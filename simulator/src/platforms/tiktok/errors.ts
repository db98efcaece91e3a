import { json, Refusal, type Reply } from '../../http/reply.ts'
import { randomToken } from '../../state/ids.ts'

/** Every reply has the same envelope. Its error code is `ok` on success. */
export function ok(data: unknown): Reply {
  return json(200, { data, error: { code: 'ok', message: '', log_id: randomToken(12) } })
}

function envelope(status: number, code: string, message: string): Reply {
  return json(status, { data: {}, error: { code, message, log_id: randomToken(12) } })
}

export function refuseWith(status: number, code: string, message: string): Refusal {
  return new Refusal(envelope(status, code, message))
}

export function invalidParams(message: string): Refusal {
  return refuseWith(400, 'invalid_params', message)
}

const defaults: Record<number, [code: string, message: string]> = {
  400: ['invalid_params', 'One or more fields in request is invalid.'],
  401: ['access_token_invalid', 'The access token is invalid or not found in the request.'],
  403: ['scope_not_authorized', 'The user did not authorize the scope required.'],
  404: ['not_found', 'The requested API is not found.'],
  429: ['rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.'],
}

export function failure(status: number): Reply {
  const [code, message] = defaults[status] ?? ['internal_error', 'Something went wrong. Please try again later.']
  return envelope(status, code, message)
}
