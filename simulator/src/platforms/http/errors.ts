import { json, Refusal, type Reply } from '../../http/reply.ts'

const codes: Record<number, string> = {
  401: 'signature_wrong',
  404: 'not_found',
  413: 'file_too_large',
  422: 'refused',
  429: 'too_many_requests',
  501: 'unsupported',
}

export function failure(status: number, { code = codes[status] ?? 'failed', retryAfterSeconds = 30 } = {}): Reply {
  const headers: Record<string, string> = status === 429 ? { 'retry-after': String(retryAfterSeconds) } : {}
  return json(status, { code, message: `The request ended with ${status}.` }, headers)
}

export function refusal(status: number, code?: string): Refusal {
  return new Refusal(failure(status, code === undefined ? {} : { code }))
}
