import { json, Refusal, type Reply } from '../../http/reply.ts'

/** Sentences of the Bot API server. Programs have only these to tell errors of one status apart. */
const descriptions: Record<number, string> = {
  400: 'Bad Request: wrong parameter',
  401: 'Unauthorized',
  403: 'Forbidden: bot was kicked from the channel chat',
  404: 'Not Found',
  413: 'Request Entity Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
}

const retryAfterSecondsDefault = 30

export function failure(status: number, description = descriptions[status], retryAfterSeconds = retryAfterSecondsDefault): Reply {
  if (status !== 429) return json(status, { ok: false, error_code: status, description: description ?? `Error ${status}` })
  const parameters = { retry_after: retryAfterSeconds }
  return json(429, { ok: false, error_code: 429, description: `Too Many Requests: retry after ${retryAfterSeconds}`, parameters })
}

export function refusal(status: number, description?: string): Refusal {
  return new Refusal(failure(status, description))
}

export function badRequest(what: string): Refusal {
  return refusal(400, `Bad Request: ${what}`)
}

/**
 * The messages of an album are sent one by one, and the answer is a refusal as soon as one of them fails, whatever became of the others
 * (Client::on_message_send_failed in github.com/tdlib/telegram-bot-api; github.com/rubenlagus/TelegramBots issue 1520).
 */
export function partlySent(position: number): Refusal {
  const cause = `Too Many Requests: retry after ${retryAfterSecondsDefault}`
  return badRequest(`failed to send message #${position} with the error message "${cause}"`)
}
