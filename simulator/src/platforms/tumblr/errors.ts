import { json, Refusal, type Reply } from '../../http/reply.ts'

const phrases: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Limit Exceeded',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** Codes that answers have and the documentation does not name (tumblr/docs issue 72, tumblr.js issue 73). */
const codes: Record<number, number> = { 401: 1016, 404: 0, 429: 5029 }
const details: Record<number, string> = {
  401: 'Unable to authorize',
  404: 'Well, this is embarrassing.',
  429: 'You have exceeded the limit of requests.',
}

type Named = { code?: number; detail?: string }

export function failure(status: number, { code = codes[status] ?? 0, detail = details[status] ?? '' }: Named = {}): Reply {
  const title = phrases[status] ?? 'Error'
  return json(status, { meta: { status, msg: title }, response: [], errors: [{ title, code, detail }] })
}

export function refusal(status: number, code?: number, detail?: string): Refusal {
  return new Refusal(failure(status, { ...(code !== undefined && { code }), ...(detail !== undefined && { detail }) }))
}

/** A parameter or a block that is not what the format wants. */
export const badBlock = (detail: string) => refusal(400, 8001, detail)
export const badMedia = () => refusal(400, 8005, 'The media could not be read.')
const dayDetail = 'You have hit a posting or media upload limit for the day.'
export const mediaDay = () => refusal(403, 8004, dayDetail)
export const stillTranscoding = () => refusal(403, 8010, 'A video of yours is still processing.')
export const videoDay = () => refusal(403, 8011, dayDetail)
export const postDay = () => refusal(403, 8023, 'You have reached the limit of posts for today.')
