import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { SoakWorkspace } from './set-up-workspaces.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
export type Answer<T> = { status: number; data: T; code: string | null }

const triesMax = 20
const retryMs = 1000
const timeoutMs = 60_000

/** The last one: an earlier try with the same key is still being carried out. */
function mayPass({ status, code }: Answer<unknown>): boolean {
  return status === 0 || status >= 500 || status === 429 || code === 'idempotency_in_flight'
}

export type SoakClient = ReturnType<typeof createSoakClient>

/**
 * Calls the API as the SDK does: with an Idempotency-Key, and again with the same key when there was no answer or a server error. So a
 * request that a busy machine answered too late is carried out once.
 */
export function createSoakClient(baseUrl: string) {
  const { origin, pathname } = new URL(baseUrl)
  const pool = new Pool(origin, { connections: 16, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
  const statuses: Record<string, number> = {}
  let repeated = 0

  const count = (status: number) => {
    const name = status === 0 ? 'no answer' : String(status)
    statuses[name] = (statuses[name] ?? 0) + 1
  }

  async function once<T>(method: Method, path: string, headers: Record<string, string>, body: unknown): Promise<Answer<T>> {
    try {
      const answer = await pool.request({
        method,
        path: pathname + path,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.body.text()
      count(answer.statusCode)
      const parsed: { data?: T; error?: { code?: string } } = text.startsWith('{') ? JSON.parse(text) : {}
      return { status: answer.statusCode, data: parsed.data as T, code: parsed.error?.code ?? null }
    } catch {
      count(0)
      return { status: 0, data: undefined as T, code: null }
    }
  }

  return {
    async call<T>({ headers }: SoakWorkspace, method: Method, path: string, body?: unknown): Promise<Answer<T>> {
      const withKey = method === 'GET' ? headers : { ...headers, 'idempotency-key': randomUUID() }
      for (let tries = 1; ; tries++) {
        const answer = await once<T>(method, path, withKey, body)
        if (!mayPass(answer) || tries === triesMax) return answer
        repeated++
        await sleep(retryMs)
      }
    },
    /** Uploads a picture to the library. Null if it was not accepted, which is counted. */
    async upload({ headers }: SoakWorkspace, picture: Buffer): Promise<string | null> {
      const form = new FormData()
      form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'picture.png')
      try {
        const signal = AbortSignal.timeout(timeoutMs)
        const answer = await fetch(`${baseUrl}/media/upload`, { method: 'POST', headers, body: form, signal })
        const { data } = (await answer.json()) as { data?: { id: string } }
        count(answer.status)
        return data?.id ?? null
      } catch {
        count(0)
        return null
      }
    },
    figures: () => ({ statuses: { ...statuses }, repeated }),
    close: () => pool.close(),
  }
}
