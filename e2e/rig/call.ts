import { world } from '../world.ts'

export type Refusal = {
  code: string
  message: string
  action: string
  retryable: boolean
  details?: { path: string; message: string }[]
  docUrl: string
  traceId: string
}

/** An answer as it came over the wire. `data` is what the test says it should be; only the test finds out whether it is. */
export type Reply<T> = { status: number; headers: Headers; text: string; success: unknown; data: T; error: Refusal }

export type CallOptions = {
  body?: unknown
  /** Sent as it is, with `type` as its content type. */
  raw?: string | Uint8Array<ArrayBuffer>
  type?: string
  form?: FormData
  query?: Record<string, string | number>
  headers?: Record<string, string>
  /** Null sends no key. */
  key?: string | null
  /** Null sends no X-Workspace-Id. */
  workspace?: string | null
  baseUrl?: string
}

/** One request without the SDK between: `call('GET /content', { query: { page: 2 } })`. */
export async function call<T>(route: string, options: CallOptions = {}): Promise<Reply<T>> {
  const { body, raw, type, form, query = {}, key = world.apiKey, workspace = world.workspaceId } = options
  const [method = 'GET', path = ''] = route.split(' ')
  const url = new URL((options.baseUrl ?? world.baseUrl) + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const headers = new Headers(options.headers)
  if (key !== null) headers.set('authorization', `Bearer ${key}`)
  if (workspace !== null && !path.startsWith('/workspaces')) headers.set('x-workspace-id', workspace)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (type !== undefined) headers.set('content-type', type)
  const payload = form ?? raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(payload !== undefined && { body: payload }) })
  return read<T>(response)
}

/** What a success carries; a refusal is an error that tells the whole of it. */
export async function get<T>(route: string, options?: CallOptions): Promise<T> {
  const reply = await call<T>(route, options)
  if (reply.status >= 300) throw new Error(`${route}: ${reply.status} ${reply.text.slice(0, 1000)}`)
  return reply.data
}

async function read<T>(response: Response): Promise<Reply<T>> {
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  const body = (isJson ? JSON.parse(text) : {}) as { success: unknown; data: T; error: Refusal }
  return { status: response.status, headers: response.headers, text, ...body }
}
