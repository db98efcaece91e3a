import { json, Refusal, type Reply } from '../../http/reply.ts'

function envelope(code: number, reason: string, message: string): Reply {
  return json(code, { error: { code, message, errors: [{ message, domain: 'youtube', reason }] } })
}

/** developers.google.com/youtube/v3/docs/errors: the status, the `reason` and a sentence. */
export function refuseWith(status: number, reason: string, message: string): Refusal {
  return new Refusal(envelope(status, reason, message))
}

export function notFound(reason: 'videoNotFound' | 'playlistNotFound' | 'commentNotFound'): Refusal {
  return refuseWith(404, reason, 'The resource identified by the request could not be found.')
}

const defaults: Record<number, [reason: string, message: string]> = {
  400: ['badRequest', 'Bad Request'],
  401: ['authError', 'Invalid Credentials'],
  403: ['forbidden', 'Access forbidden. The request may not be properly authorized.'],
  404: ['notFound', 'Not Found'],
  429: ['rateLimitExceeded', 'Rate Limit Exceeded'],
}

export function failure(status: number, retryAfterSeconds?: number): Reply {
  const [reason, message] = defaults[status] ?? ['backendError', 'Backend Error']
  const reply = envelope(status, reason, message)
  if (retryAfterSeconds !== undefined) reply.headers['retry-after'] = String(retryAfterSeconds)
  return reply
}
