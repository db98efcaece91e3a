import { json, refuse, type Refusal, type Reply } from '../../http/reply.ts'

const names: Record<number, { error: string; message: string }> = {
  400: { error: 'InvalidRequest', message: 'Invalid Request' },
  401: { error: 'AuthenticationRequired', message: 'Authentication Required' },
  403: { error: 'Forbidden', message: 'Forbidden' },
  404: { error: 'XRPCNotSupported', message: 'XRPCNotSupported' },
  413: { error: 'PayloadTooLarge', message: 'request entity too large' },
  429: { error: 'RateLimitExceeded', message: 'Rate Limit Exceeded' },
  500: { error: 'InternalServerError', message: 'Internal Server Error' },
  501: { error: 'MethodNotImplemented', message: 'Method Not Implemented' },
  502: { error: 'UpstreamFailure', message: 'Upstream Failure' },
  503: { error: 'NotEnoughResources', message: 'Not Enough Resources' },
  504: { error: 'UpstreamTimeout', message: 'Upstream Timeout' },
}

export function failure(status: number): Reply {
  return json(status, names[status] ?? { error: 'Unknown', message: 'Unknown' })
}

export function invalidRequest(message: string, error = 'InvalidRequest'): Refusal {
  return refuse(400, { error, message })
}

export function unauthorized(message = 'Authentication Required', error = 'AuthenticationRequired'): Refusal {
  return refuse(401, { error, message })
}
