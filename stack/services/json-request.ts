export type JsonRequest = { body?: unknown; token?: string; method?: string }

/** Sends JSON and returns the JSON of the response; any status but success throws with the response's text. */
export async function jsonRequest(url: string, { body, token, method }: JsonRequest = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return asRecord(text === '' ? {} : JSON.parse(text))
}

/** Reads a field that must be a string. */
export function textOf(record: Record<string, unknown>, field: string): string {
  const value = record[field]
  if (typeof value !== 'string') throw new Error(`expected text in "${field}", got ${JSON.stringify(value)}`)
  return value
}

export function asRecord(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Error(`expected an object, got ${JSON.stringify(value)}`)
  return value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
