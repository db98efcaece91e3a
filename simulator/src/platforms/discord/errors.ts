import { html, json, Refusal, type Reply } from '../../http/reply.ts'

/** Discord's own codes, each with its status and its sentence. */
const known = {
  10003: [404, 'Unknown Channel'],
  10004: [404, 'Unknown Guild'],
  10007: [404, 'Unknown Member'],
  10008: [404, 'Unknown Message'],
  30015: [400, 'Maximum number of attachments in a message reached (10)'],
  40005: [413, 'Request entity too large'],
  40333: [403, 'internal network error'],
  50001: [403, 'Missing Access'],
  50006: [400, 'Cannot send an empty message'],
  50008: [400, 'Cannot send messages in a non-text channel'],
  50013: [403, 'Missing Permissions'],
  50109: [400, 'The request body contains invalid JSON.'],
  160002: [400, 'Cannot reply without permission to read message history'],
  200000: [400, 'Message was blocked by automatic moderation'],
} as const satisfies Record<number, readonly [number, string]>

const statusTexts: Partial<Record<number, string>> = {
  401: '401: Unauthorized',
  403: '403: Forbidden',
  404: '404: Not Found',
  500: '500: Internal Server Error',
}

const retryAfterSecondsDefault = 5

/** Without a code of its own, an answer has the code 0. What fails before it reaches the API is answered with a page. */
export function failure(status: number, retryAfterSeconds = retryAfterSecondsDefault): Reply {
  if (status === 429) return limited(retryAfterSeconds)
  if (status > 500) return html(status, `<html><head><title>${status}</title></head><body>cloudflare</body></html>`)
  return json(status, { message: statusTexts[status] ?? `${status}: Error`, code: 0 })
}

function limited(seconds: number): Reply {
  const headers = { 'retry-after': String(Math.ceil(seconds)), 'x-ratelimit-scope': 'user' }
  return json(429, { message: 'You are being rate limited.', retry_after: seconds, global: false }, headers)
}

export function refusal(code: keyof typeof known): Refusal {
  const [status, message] = known[code]
  return new Refusal(json(status, { message, code }))
}

/** A field that is wrong is named in a tree of the same shape as the request. */
export function invalidForm(field: string, code: string, message: string): Refusal {
  const errors = { [field]: { _errors: [{ code, message }] } }
  return new Refusal(json(400, { message: 'Invalid Form Body', code: 50035, errors }))
}

export function tooLong(field: string, max: number): Refusal {
  return invalidForm(field, 'BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`)
}
