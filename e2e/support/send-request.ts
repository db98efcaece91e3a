import { testStack } from '../test-stack.ts'

export type Reply = { status: number; code: string | null; data: unknown; location: string | null }

type RequestOptions = { body?: unknown; key?: string | null; workspaceId?: string; headers?: Record<string, string> }

const root = testStack.baseUrl.replace(/\/api$/, '')

/** Sends one request to the stack. Paths outside of /api are allowed, and redirects are returned instead of followed. */
export async function sendRequest(method: string, path: string, request: RequestOptions = {}): Promise<Reply> {
  const { body, key = testStack.apiKey, workspaceId = testStack.workspaceId, headers = {} } = request
  const response = await fetch(path.startsWith('http') ? path : root + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}`, 'x-workspace-id': workspaceId }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const answer: { data?: unknown; error?: { code: string } } = text.startsWith('{') ? JSON.parse(text) : {}
  return {
    status: response.status,
    code: answer.error?.code ?? null,
    data: answer.data ?? null,
    location: response.headers.get('location'),
  }
}

/** Reads a field that must be a text. */
export function textAt(data: unknown, name: string): string {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined
  if (typeof value !== 'string') throw new Error(`no text "${name}" in ${JSON.stringify(data)}`)
  return value
}
