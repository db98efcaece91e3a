import { isFields } from '../src/http/fields.ts'
import { startSimulator, type SimulatorOptions } from '../src/index.ts'

export type TestResponse = { status: number; headers: Headers; body: unknown; text: string }
export type TestAccount = { platform: string; id: string; handle: string; token: string; refresh: string; password: string }
export type RequestOptions = {
  method?: string
  token?: string
  json?: unknown
  form?: Record<string, string>
  body?: FormData | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/**
 * Starts a simulator and returns functions to open accounts, send requests and set faults. New objects are ready at once, unless a test is
 * about that.
 */
export async function startTestSimulator({ notReadyMs = 0, ...options }: SimulatorOptions & { notReadyMs?: number } = {}) {
  const simulator = await startSimulator(options)
  const url = simulator.url

  async function request(
    path: string,
    { method, token, json, form, body, headers = {} }: RequestOptions = {},
  ): Promise<TestResponse> {
    const sent = json === undefined ? (form ? new URLSearchParams(form) : body) : JSON.stringify(json)
    const response = await fetch(url + path, {
      method: method ?? (sent === undefined ? 'GET' : 'POST'),
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: sent ?? null,
      redirect: 'manual',
    })
    const source = await response.text()
    return { status: response.status, headers: response.headers, text: source, body: parse(source) }
  }

  const control = (path: string, json: unknown) => request(`/_control${path}`, { json })
  await control('/settings', { notReadyMs })

  async function openAccount(platform: string, handle = 'alice'): Promise<TestAccount> {
    const { body } = await control('/accounts', { platform, handle })
    return {
      platform,
      handle,
      id: textAt(body, 'account', 'id'),
      token: textAt(body, 'credentials', 'accessToken'),
      refresh: textAt(body, 'credentials', 'refreshToken'),
      password: textAt(body, 'credentials', 'extra', 'password'),
    }
  }

  const posts = async (query = '') => toList((await request(`/_control/posts${query}`)).body)
  const submits = async (query = '') => (await request(`/_control/submits${query}`)).body
  const fault = (target: object, one: object) => control('/faults', { ...target, fault: one })
  return { url, request, control, openAccount, posts, submits, fault, [Symbol.asyncDispose]: simulator.close }
}

/** Reads a nested value of a reply. A missing value is undefined, so that the expectation fails and not the access. */
export function valueAt(value: unknown, ...path: (string | number)[]): unknown {
  let current = value
  for (const key of path) {
    if (Array.isArray(current) && typeof key === 'number') current = current[key]
    else current = isFields(current) ? current[key] : undefined
  }
  return current
}

export function textAt(value: unknown, ...path: (string | number)[]): string {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found : ''
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}
