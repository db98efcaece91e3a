import { world } from '../world.ts'

export type Reply = { status: number; code: string | null; data: unknown; location: string | null }

type Request = { body?: unknown; key?: string | null; workspaceId?: string; headers?: Record<string, string> }

const root = world.baseUrl.replace(/\/api$/, '')

/** One request to the stack as a program makes it; paths outside /api too, and redirects are answers. */
export async function ask(method: string, path: string, request: Request = {}): Promise<Reply> {
  const { body, key = world.apiKey, workspaceId = world.workspaceId, headers = {} } = request
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
  const told: { data?: unknown; error?: { code: string } } = text.startsWith('{') ? JSON.parse(text) : {}
  return {
    status: response.status,
    code: told.error?.code ?? null,
    data: told.data ?? null,
    location: response.headers.get('location'),
  }
}

/** A field of an answer that must be a text. */
export function textAt(data: unknown, name: string): string {
  const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined
  if (typeof value !== 'string') throw new Error(`no text "${name}" in ${JSON.stringify(data)}`)
  return value
}
