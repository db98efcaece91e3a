import { readFile } from 'node:fs/promises'
import { unique } from '../world.ts'

export type Page = { status: number; code: string | null; data: unknown; setCookies: string[] }

type Asked = { body?: unknown; origin?: string | null; cookie?: string; workspace?: string }

/** A browser on a page of ours: it sends the cookies it was given, and says whose page it is on. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #server: string
  readonly #origin: string

  /** `origin` is what people see; `server` is where it really listens. */
  constructor({ server, origin = server }: { server: string; origin?: string }) {
    this.#server = server
    this.#origin = origin
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** `open('POST /auth/sign-out')`; another origin, or none, is another site's page. */
  async open(route: string, { body, origin, cookie = this.cookie, workspace }: Asked = {}): Promise<Page> {
    const [method = '', path = ''] = route.split(' ')
    const from = origin === undefined ? this.#origin : origin
    const response = await fetch(this.#server + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(from !== null && method !== 'GET' && { origin: from }),
        ...(cookie !== '' && { cookie }),
        ...(workspace !== undefined && { 'x-workspace-id': workspace }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const setCookies = response.headers.getSetCookie()
    for (const line of setCookies) this.#keep(line)
    const text = await response.text()
    const told: { data?: unknown; error?: { code: string } } = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, code: told.error?.code ?? null, data: told.data ?? null, setCookies }
  }

  /** Signs up, confirms with the link from the log, where an install without mail writes it, and signs in. */
  async signIn(logFile: string): Promise<Page> {
    const [email, password] = [`${unique('ringer').replace(' ', '-')}@example.com`, 'seven bells at dusk']
    await this.open('POST /auth/sign-up/email', { body: { name: 'Ringer', email, password } })
    await this.open(`POST ${await linkTo(email, logFile)}`)
    return this.open('POST /auth/sign-in/email', { body: { email, password } })
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    if (/max-age=0(?:;|$)/i.test(line)) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

async function linkTo(email: string, logFile: string): Promise<string> {
  for (let n = 0; n < 50; n++) {
    const line = (await readFile(logFile, 'utf8')).split('\n').findLast((each) => each.includes(`"to":"${email}"`))
    const path = /https?:\/\/[^/"]+(\/auth\/verify\?token=[^"\\\s]+)/.exec(line ?? '')?.[1]
    if (path) return path
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no link for ${email} in the log`)
}
