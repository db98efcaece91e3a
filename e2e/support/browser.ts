import { testStack, uniqueText } from '../test-stack.ts'
import { findLink, waitForMail } from './mailbox.ts'

export type Page = {
  status: number
  code: string | null
  text: string
  data: unknown
  location: string | null
  setCookies: string[]
}

type PageRequest = { body?: unknown; origin?: string | null; cookie?: string; workspace?: string }

const stackOrigin = testStack.baseUrl.replace(/\/api$/, '')

export const newAddress = (name = 'ringer') => `${uniqueText(name).replace(' ', '-')}@example.com`

/** Sends requests as a browser does from a page of this service: with the cookies it received, and with an Origin header. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #server: string
  readonly #origin: string

  /** `origin` is the public address; `server` is the address that requests are sent to. */
  constructor({ server = stackOrigin, origin = server }: { server?: string; origin?: string } = {}) {
    this.#server = server
    this.#origin = origin
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** `open('POST /auth/sign-out')`. Pass another origin, or null, to act as a page of another site. */
  open(route: string, { body, origin = this.#origin, cookie = this.cookie, workspace }: PageRequest = {}): Promise<Page> {
    const [method = '', path = ''] = route.split(' ')
    const headers = {
      ...(origin !== null && method !== 'GET' && { origin }),
      ...(cookie !== '' && { cookie }),
      ...(workspace !== undefined && { 'x-workspace-id': workspace }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    return this.#send(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  }

  get(path: string): Promise<Page> {
    return this.#send(path, { headers: { accept: 'text/html', cookie: this.cookie } })
  }

  /** Sends JSON, as a script of the web app does. */
  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Page> {
    const common = { 'content-type': 'application/json', origin: this.#origin, cookie: this.cookie }
    return this.#send(path, { method: 'POST', headers: { ...common, ...headers }, body: JSON.stringify(body) })
  }

  /** Sends a form, as a button on a page does. */
  press(path: string, fields: Record<string, string> = {}): Promise<Page> {
    const headers = { accept: 'text/html', origin: this.#origin, cookie: this.cookie }
    return this.#send(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  }

  /** Signs up, confirms the address with the link in the mail, and signs in. */
  async signIn(email = newAddress()): Promise<Page> {
    const password = 'seven bells at dusk'
    await this.post('/auth/sign-up/email', { name: 'Ringer', email, password })
    await this.press(findLink(await waitForMail(email, 'Confirm your address')))
    return this.post('/auth/sign-in/email', { email, password })
  }

  /** Only the path and query of an absolute URL are used: the request always goes to this browser's server. */
  async #send(address: string, init: RequestInit): Promise<Page> {
    const { pathname, search } = new URL(address, this.#server)
    const response = await fetch(this.#server + pathname + search, { ...init, redirect: 'manual' })
    const setCookies = response.headers.getSetCookie()
    for (const line of setCookies) this.#storeCookie(line)
    const text = await response.text()
    const answer: { data?: unknown; error?: { code: string } } = text.startsWith('{') ? JSON.parse(text) : {}
    const location = response.headers.get('location')
    return { status: response.status, code: answer.error?.code ?? null, text, data: answer.data ?? null, location, setCookies }
  }

  #storeCookie(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    if (/max-age=0(?:;|$)/i.test(line)) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}
