import { html, json, Refusal, type Reply } from '../../http/reply.ts'

const retryAfterSecondsDefault = 30

/** Slack refuses with status 200 and a word. Only limits and failures of its servers have a status of their own. */
export function failure(status: number, retryAfterSeconds = retryAfterSecondsDefault): Reply {
  if (status === 429) return json(429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(retryAfterSeconds) })
  if (status >= 500) return html(status, `<!doctype html><title>Server Error</title><p>${status}</p>`)
  return refusal(status === 401 ? 'invalid_auth' : status === 404 ? 'unknown_method' : 'invalid_arguments').reply
}

export function refusal(error: string, more: object = {}, headers: Record<string, string> = {}): Refusal {
  return new Refusal({ ...json(200, { ok: false, error, ...more }, headers), isRefused: true })
}

export function missingScope(needed: string, provided: readonly string[]): Refusal {
  const all = provided.join(',')
  const headers = { 'x-oauth-scopes': all, 'x-accepted-oauth-scopes': needed }
  return refusal('missing_scope', { needed, provided: all }, headers)
}
