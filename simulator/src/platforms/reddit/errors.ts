import { json, Refusal, type Reply } from '../../http/reply.ts'

const phrases: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
}

export function failure(status: number, more: object = {}): Reply {
  return json(status, { message: phrases[status] ?? 'Internal Server Error', error: status, ...more })
}

export function refusal(status: number, more: object = {}): Refusal {
  return new Refusal(failure(status, more))
}

/** What is wrong with a form is said with the status of a success (r2/r2/lib/jsonresponse.py). */
const sentences = {
  ALREADY_SUB: ['that link has already been submitted', 'url'],
  BAD_URL: ['you should check that url', 'url'],
  DELETED_COMMENT: ['that comment has been deleted', 'parent'],
  GALLERIES_DISABLED: ['Gallery posts aren’t allowed in this subreddit', 'sr'],
  INVALID_OPTION: ['that option is not valid', 'kind'],
  NO_LINKS: ['that subreddit only allows text posts', 'sr'],
  NO_SELFS: ['that subreddit doesn’t allow text posts', 'sr'],
  NO_TEXT: ['we need something here', 'title'],
  NO_THING_ID: ['id not specified', 'parent'],
  RATELIMIT: ['Looks like you’ve been doing that a lot. Take a break for 9 minutes before trying again.', 'ratelimit'],
  SUBREDDIT_NOEXIST: ['that subreddit doesn’t exist', 'sr'],
  SUBREDDIT_NOTALLOWED: ['you aren’t allowed to post there.', 'sr'],
  SUBREDDIT_REQUIRED: ['you must specify a subreddit', 'sr'],
  THREAD_LOCKED: ['Comments are locked.', 'parent'],
} as const

export function formError(code: keyof typeof sentences): Refusal {
  const [sentence, field] = sentences[code]
  return refuseForm(code, sentence, field)
}

export function tooLong(field: string, max: number): Refusal {
  return refuseForm('TOO_LONG', `this is too long (max: ${max})`, field)
}

function refuseForm(code: string, sentence: string, field: string): Refusal {
  const reply = json(200, { json: { errors: [[code, sentence, field]] } })
  return new Refusal({ ...reply, isRefused: true })
}

/** A rule of a subreddit, if a request wants to be checked by them. */
export function ruleBroken(reason: string, explanation: string, field: string): Refusal {
  return refusal(400, { fields: [field], explanation, error_type: 'SUBMIT_VALIDATION_ERROR', reason })
}
