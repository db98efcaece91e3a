import { unique, world } from '../world.ts'
import { letterTo, linkIn } from './mailbox.ts'

export type Page = { status: number; code: string | null; text: string; data: unknown; setCookies: string[] }

type Asked = { body?: unknown; origin?: string | null; cookie?: string; workspace?: string }

const ours = world.baseUrl.replace(/\/api$/, '')

/** A browser on a page of ours: it sends the cookies it was given, and says whose page it is on. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #server: string
  readonly #origin: string

  /** `origin` is what people see; `server` is where it really listens. */
  constructor({ server = ours, origin = server }: { server?: string; origin?: string } = {}) {
    this.#server = server
    this.#origin = origin
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** `open('POST /auth/sign-out')`; another origin, or none, is another site's page. */
  open(route: string, { body, origin = this.#origin, cookie = this.cookie, workspace }: Asked = {}): Promise<Page> {
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

  /** As a script of the web app does. */
  post(path: string, body: object, headers: Record<string, string> = {}): Promise<Page> {
    const common = { 'content-type': 'application/json', origin: this.#origin, cookie: this.cookie }
    return this.#send(path, { method: 'POST', headers: { ...common, ...headers }, body: JSON.stringify(body) })
  }

  /** As the button of a page does. */
  press(path: string, fields: Record<string, string> = {}): Promise<Page> {
    const headers = { accept: 'text/html', origin: this.#origin, cookie: this.cookie }
    return this.#send(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
  }

  /** Signs up, confirms with the link from the mail, and signs in. */
  async signIn(): Promise<Page> {
    const [email, password] = [`${unique('ringer').replace(' ', '-')}@example.com`, 'seven bells at dusk']
    await this.post('/auth/sign-up/email', { name: 'Ringer', email, password })
    await this.press(linkIn(await letterTo(email, 'Confirm your address')))
    return this.post('/auth/sign-in/email', { email, password })
  }

  /** A whole address is opened on this browser's server, whatever name that goes by. */
  async #send(address: string, init: RequestInit): Promise<Page> {
    const { pathname, search } = new URL(address, this.#server)
    const response = await fetch(this.#server + pathname + search, { ...init, redirect: 'manual' })
    const setCookies = response.headers.getSetCookie()
    for (const line of setCookies) this.#keep(line)
    const text = await response.text()
    const told: { data?: unknown; error?: { code: string } } = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, code: told.error?.code ?? null, text, data: told.data ?? null, setCookies }
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    if (/max-age=0(?:;|$)/i.test(line)) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}
