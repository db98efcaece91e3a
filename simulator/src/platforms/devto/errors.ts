import { json, Refusal, type Reply } from '../../http/reply.ts'

const sentences: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  404: 'not found',
  429: 'Rate limit reached, try again in 30 seconds',
}

export function failure(status: number, error = sentences[status] ?? 'Internal Server Error'): Reply {
  return json(status, { error, status })
}

/** Forem has no codes. Its sentences are in the language of the site. */
export function refusal(status: number, error?: string): Refusal {
  return new Refusal(failure(status, error))
}

export function invalid(sentence: string): Refusal {
  return refusal(422, sentence)
}
