import { setTimeout as sleep } from 'node:timers/promises'
import { fieldsOf, parseJson, textOf, type Fields } from './json.ts'

export type ApiAccess = { baseUrl: string; apiKey: string; workspaceId: string }

type ApiRequest = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown; key?: string }

/** A definite answer. `tries` above 1 means that an earlier try of the same request may already have been carried out. */
export type ApiAnswer = { status: number; code: string | null; data: unknown; body: Fields; tries: number; isReplay: boolean }

export type Api = (request: ApiRequest) => Promise<ApiAnswer>

const perTryMs = 15_000
/** Longer than any planned fault, also on a slow machine. */
const giveUpAfterMs = 240_000

/** Repeats a request, with the same Idempotency-Key, until the answer is definite. */
export function createApi({ baseUrl, apiKey, workspaceId }: ApiAccess): Api {
  return async ({ method, path, body, key }) => {
    const endMs = Date.now() + giveUpAfterMs
    for (let tries = 1; ; tries++) {
      const answer = await sendOnce(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'x-workspace-id': workspaceId,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      if (answer && isDefinite(answer)) return { ...answer, tries }
      if (Date.now() > endMs)
        throw new Error(`${method} ${path}: no definite answer within ${giveUpAfterMs} ms, last ${JSON.stringify(answer)}`)
      await sleep(Math.min(50 * 2 ** tries, 500))
    }
  }
}

type SingleAnswer = Omit<ApiAnswer, 'tries'>

/** Null when the connection broke: the request may have been carried out or not. */
async function sendOnce(url: string, init: RequestInit): Promise<SingleAnswer | null> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(perTryMs) })
    const body = fieldsOf(parseJson(await response.text()))
    const isReplay = response.headers.get('idempotent-replayed') === 'true'
    return { status: response.status, code: textOf(fieldsOf(body['error'])['code']), data: body['data'], body, isReplay }
  } catch {
    return null
  }
}

function isDefinite({ status, code }: SingleAnswer): boolean {
  return status < 500 && status !== 429 && code !== 'idempotency_in_flight'
}
