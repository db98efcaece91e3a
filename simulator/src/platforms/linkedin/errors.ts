import { json, Refusal, type Reply } from '../../http/reply.ts'

/** The error body of every /rest call. */
function restError(status: number, code: string, message: string, serviceErrorCode?: number): Reply {
  return json(status, { message, ...(serviceErrorCode === undefined ? {} : { serviceErrorCode }), status, code })
}

export function refuseRest(status: number, code: string, message: string): Refusal {
  return new Refusal(restError(status, code, message))
}

export function invalidField(field: string, reason: string): Refusal {
  return refuseRest(400, 'INVALID_VALUE_FOR_FIELD', `Value of ${field} is invalid: ${reason}`)
}

export function accessDenied(message = 'Not enough permissions to access this resource.'): Refusal {
  return refuseRest(403, 'ACCESS_DENIED', message)
}

export const badTokens = {
  missing: restError(401, 'EMPTY_ACCESS_TOKEN', 'Empty oauth2 access token', 65604),
  unknown: restError(401, 'INVALID_ACCESS_TOKEN', 'Invalid access token', 65600),
  revoked: restError(401, 'REVOKED_ACCESS_TOKEN', 'The token used in the request has been revoked by the user', 65601),
  expired: restError(401, 'EXPIRED_ACCESS_TOKEN', 'The token used in the request has expired', 65602),
} as const

const defaults: Record<number, [code: string, message: string]> = {
  400: ['INVALID_VALUE_FOR_FIELD', 'Invalid request'],
  401: ['INVALID_ACCESS_TOKEN', 'Invalid access token'],
  403: ['ACCESS_DENIED', 'Not enough permissions to access this resource.'],
  404: ['RESOURCE_NOT_FOUND', 'No virtual resource found'],
  409: ['CONFLICT', 'A conflict occurred while writing'],
  426: ['NONEXISTENT_VERSION', 'Requested version is not active'],
  429: ['TOO_MANY_REQUESTS', 'Resource level throttle limit for calls to this resource is reached.'],
  500: ['INTERNAL_SERVER_ERROR', 'Internal Server Error'],
  503: ['SERVICE_UNAVAILABLE', 'Unable to obtain activity'],
  504: ['GATEWAY_TIMEOUT', 'Request timed out'],
}

export function failure(status: number): Reply {
  const [code, message] = defaults[status] ?? ['ERROR', 'An error occurred']
  return restError(status, code, message)
}
