import { world } from '../world.ts'

const origin = world.baseUrl.replace(/\/api$/, '')

type Page = { status: number; text: string; data: unknown }

/** Keeps cookies and says whose page it is on, as a person's browser does. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  get(path: string): Promise<Page> {
    return this.#send(path, { method: 'GET', headers: { accept: 'text/html' } })
  }

  /** As a script of the web app does. */
  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Page> {
    const json = { 'content-type': 'application/json', ...headers }
    return this.#send(path, { method: 'POST', headers: json, body: JSON.stringify(body) })
  }

  /** As the button of a page does. */
  press(path: string, fields: Record<string, string> = {}): Promise<Page> {
    return this.#send(path, { method: 'POST', headers: { accept: 'text/html' }, body: new URLSearchParams(fields) })
  }

  async #send(path: string, init: RequestInit): Promise<Page> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (init.method !== 'GET') headers.set('origin', origin)
    const response = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    const text = await response.text()
    const told: { data?: unknown } = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, text, data: told.data ?? null }
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}
