import { json, Refusal, type Reply } from '../../http/reply.ts'

/** What has another status than 400. A token that is not known gets the same answer as a wrong password. */
const statuses: Readonly<Record<string, number>> = { incorrect_login: 401, couldnt_find_community: 404 }

/** Lemmy's own codes, as it writes the names of its errors. Some have a message. */
export function refusal(error: string, message?: string): Refusal {
  return new Refusal(json(statuses[error] ?? 400, { error, ...(message !== undefined && { message }) }))
}

/** pict-rs answers for itself. */
export function pictureRefused(status: number, msg: string): Refusal {
  return new Refusal(json(status, { files: null, msg }))
}

/** A limit is 400 as everything else is. What a server in front of Lemmy answers has no code. */
export function failure(status: number): Reply {
  if (status === 401) return refusal('incorrect_login').reply
  if (status === 429) return refusal('rate_limit_error').reply
  if (status === 404) return json(404, '')
  // `unknown` is for what failed inside, after which a post may be there. A refusal names its reason.
  if (status === 400 || status === 422) return refusal('invalid_url').reply
  return json(status, { error: 'unknown', message: `The request ended with ${status}.` })
}
