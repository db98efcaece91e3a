import { request } from 'undici'

const timeouts = { headersTimeout: 20_000, bodyTimeout: 20_000 }

type AdminCall = { method?: 'GET' | 'POST' | 'DELETE'; json?: Record<string, unknown> }

/** Calls the engine's admin interface and returns its answer. Throws if the engine refuses. */
export async function callAdmin(url: string, { method = 'GET', json }: AdminCall = {}): Promise<unknown> {
  const { statusCode, body } = await request(url, {
    ...timeouts,
    method,
    headers: { accept: 'application/json', ...(json && { 'content-type': 'application/json' }) },
    ...(json && { body: JSON.stringify(json) }),
  })
  const answer = await body.text()
  if (statusCode >= 300) throw new Error(`the engine answered ${statusCode}: ${answer.slice(0, 300)}`)
  return answer === '' ? null : JSON.parse(answer)
}

const timeoutMs = 2_000

/** True if the engine answers at the address where it accepts work. */
export async function isEngineUp(ingressUrl: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${ingressUrl}/restate/health`, { signal: AbortSignal.timeout(timeoutMs) })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
