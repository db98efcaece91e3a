import { isFields } from '../src/http/fields.ts'
import { startSimulator } from '../src/index.ts'

export type Answer = { status: number; headers: Headers; body: unknown; text: string }
export type Person = { platform: string; id: string; handle: string; token: string; refresh: string; password: string }
export type Ask = {
  method?: string
  token?: string
  json?: unknown
  form?: Record<string, string>
  body?: FormData | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

/** A running simulator and the two things every test does with it: have an account, and make a call. */
export async function openTestWorld() {
  const simulator = await startSimulator()
  const url = simulator.url

  async function ask(path: string, { method, token, json, form, body, headers = {} }: Ask = {}): Promise<Answer> {
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

  const control = (path: string, json: unknown) => ask(`/_control${path}`, { json })

  async function join(platform: string, handle = 'alice'): Promise<Person> {
    const { body } = await control('/accounts', { platform, handle })
    return {
      platform,
      handle,
      id: text(body, 'account', 'id'),
      token: text(body, 'credentials', 'accessToken'),
      refresh: text(body, 'credentials', 'refreshToken'),
      password: text(body, 'credentials', 'extra', 'password'),
    }
  }

  const posts = async (query = '') => list((await ask(`/_control/posts${query}`)).body)
  const fault = (target: object, one: object) => control('/faults', { ...target, fault: one })
  return { url, ask, control, join, posts, fault, [Symbol.asyncDispose]: simulator.close }
}

/** Walks into an answer; what is not there is undefined, so an expectation fails instead of a type. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value
  for (const step of path)
    here = Array.isArray(here) && typeof step === 'number' ? here[step] : isFields(here) ? here[step] : undefined
  return here
}

export function text(value: unknown, ...path: (string | number)[]): string {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : ''
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}
