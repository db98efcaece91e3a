import { refuse, type Refusal } from '../../http/reply.ts'

/** Sentences as config/locales and api/error_handling.rb of Mastodon have them. */
const sentences: Record<number, string> = {
  401: 'The access token is invalid',
  403: 'This action is not allowed',
  404: 'Record not found',
  422: 'Validation failed',
  429: 'Too many requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

export function sentence(status: number): string {
  return sentences[status] ?? `Error ${status}`
}

export function fail(status: number, error = sentence(status)): Refusal {
  return refuse(status, { error })
}

export function invalid(reason: string): Refusal {
  return fail(422, `Validation failed: ${reason}`)
}
