import { json, Refusal, type Reply } from '../../http/reply.ts'

const sentences: Record<number, string> = {
  401: 'Unauthenticated.',
  403: 'Invalid permissions for this action',
  404: 'Not Found',
  429: 'Too Many Attempts.',
}

/** Laravel's own form of an error. */
export function failure(status: number, message = sentences[status] ?? 'Server Error'): Reply {
  return json(status, { message })
}

export function refusal(status: number, message?: string): Refusal {
  return new Refusal(failure(status, message))
}

/** A field that is not what a route wants. */
export function invalid(field: string, message: string): Refusal {
  return new Refusal(json(422, { message, errors: { [field]: [message] } }))
}
