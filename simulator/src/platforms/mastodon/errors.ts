import { refuse, type Refusal } from '../../http/reply.ts'

/** The messages of Mastodon's config/locales and api/error_handling.rb. */
const messages: Record<number, string> = {
  401: 'The access token is invalid',
  403: 'This action is not allowed',
  404: 'Record not found',
  422: 'Validation failed',
  429: 'Too many requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export function messageOf(status: number): string {
  return messages[status] ?? `Error ${status}`
}

export function fail(status: number, error = messageOf(status)): Refusal {
  return refuse(status, { error })
}

export function invalid(reason: string): Refusal {
  return fail(422, `Validation failed: ${reason}`)
}
