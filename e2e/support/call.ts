import { testStack } from '../test-stack.ts'

type ApiError = {
  code: string
  message: string
  action: string
  retryable: boolean
  details?: { path: string; message: string }[]
  docUrl: string
  traceId: string
}

/** An answer as it was received. Nothing checks that `data` really has the type `T`; that is what the tests are for. */
export type Reply<T> = { status: number; headers: Headers; text: string; success: unknown; data: T; error: ApiError }

export type CallOptions = {
  body?: unknown
  /** Sent unchanged, with `type` as its content type. */
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

/** Sends one request without the SDK: `call('GET /content', { query: { page: 2 } })`. */
export async function call<T>(route: string, options: CallOptions = {}): Promise<Reply<T>> {
  const { body, raw, type, form, query = {}, key = testStack.apiKey, workspace = testStack.workspaceId } = options
  const [method = 'GET', path = ''] = route.split(' ')
  const url = new URL((options.baseUrl ?? testStack.baseUrl) + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const headers = new Headers(options.headers)
  if (key !== null) headers.set('authorization', `Bearer ${key}`)
  if (workspace !== null && !path.startsWith('/workspaces')) headers.set('x-workspace-id', workspace)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (type !== undefined) headers.set('content-type', type)
  const payload = form ?? raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(payload !== undefined && { body: payload }) })
  return readReply<T>(response)
}

/** Like `call`, but returns the data of a success and throws when the request is rejected. */
export async function callData<T>(route: string, options?: CallOptions): Promise<T> {
  const reply = await call<T>(route, options)
  if (reply.status >= 300) throw new Error(`${route}: ${reply.status} ${reply.text.slice(0, 1000)}`)
  return reply.data
}

async function readReply<T>(response: Response): Promise<Reply<T>> {
  const text = await response.text()
  const isJson = /^application\/json\b/.test(response.headers.get('content-type') ?? '')
  const body = (isJson ? JSON.parse(text) : {}) as { success: unknown; data: T; error: ApiError }
  return { status: response.status, headers: response.headers, text, ...body }
}
