import { json, Refusal, type Reply } from '../../http/reply.ts'

/** As relays say it: a word that programs read, a colon, and words for people. */
const said: Readonly<Record<number, string>> = {
  401: 'restricted: this key may not write here',
  403: 'blocked: this key may not write here',
  404: 'invalid: there is nothing like this',
}

/** The status is for the records of the simulator; on a relay there is none. */
export function failure(status: number, retryAfterSeconds = 10): Reply {
  const wait = `rate-limited: slow down, try again in ${retryAfterSeconds} seconds`
  const message = status === 429 ? wait : (said[status] ?? 'error: the event could not be stored')
  return json(status, { message })
}

export function refusal(message: string): Refusal {
  return new Refusal(json(400, { message }))
}
