import { request, type Dispatcher } from 'undici'

type JsonRequest = { method?: Dispatcher.HttpMethod; body?: unknown; headers?: Record<string, string> }

/** Sends one request whose answer is JSON of type `T`. Throws unless it succeeds. */
export async function requestJson<T>(url: string, { method, body, headers }: JsonRequest = {}): Promise<T> {
  const answer = await request(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}
