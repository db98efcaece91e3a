import type { FastifyInstance, InjectOptions } from 'fastify'
import { auditRoutes } from '../audit/audit.routes.ts'
import type { Context } from '../../context.ts'
import type { Mail } from '../../infra/mail/mailer.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { openServer } from '../../../test/open-server.ts'
import type { TestDatabase } from '../../../test/start-database.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { workspaceDataRoutes } from '../workspace-data/workspace-data.routes.ts'
import { accountRoutes } from './account.routes.ts'

export const goodPassword = 'seven bells at dusk'

export type PeopleServer = {
  ctx: Context
  app: FastifyInstance
  origin: string
  mails: Mail[]
  /** Moves the clock of the context forward. */
  advanceClock(ms: number): void
  browser(): Browser
  close(): Promise<void>
}

/** A server with the routes for people and workspaces. Mail is collected in `mails` and not sent. */
export function openPeopleServer(database: TestDatabase, env: Record<string, string> = {}): PeopleServer {
  const origin = env['CARILLON_PUBLIC_URL'] ?? 'http://localhost:3000'
  const mails: Mail[] = []
  let aheadMs = 0
  const mail: Context['mail'] = {
    async send(sent) {
      mails.push(sent)
      return 'sent'
    },
    close() {},
  }
  const { ctx, app, close } = openServer({
    database,
    env: { CARILLON_PUBLIC_URL: origin, ...env },
    replace: { mail, nowMs: () => Date.now() + aheadMs },
    api: [apiKeyRoutes, auditRoutes, memberRoutes, workspaceDataRoutes, workspaceRoutes],
    root: [accountRoutes],
  })
  return { ctx, app, origin, mails, advanceClock: (ms) => void (aheadMs += ms), browser: () => new Browser(app, origin), close }
}

type RequestOptions = { body?: object; form?: Record<string, string>; headers?: Record<string, string>; from?: string }

/** Stores cookies and sends the Origin header, as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #app: FastifyInstance
  readonly #origin: string

  constructor(app: FastifyInstance, origin: string) {
    this.#app = app
    this.#origin = origin
  }

  get(url: string, options: RequestOptions = {}) {
    return this.#send('GET', url, options)
  }

  post(url: string, body: object = {}, options: RequestOptions = {}) {
    return this.#send('POST', url, { body, ...options })
  }

  send(method: NonNullable<InjectOptions['method']>, url: string, options: RequestOptions = {}) {
    return this.#send(method, url, options)
  }

  async #send(method: NonNullable<InjectOptions['method']>, url: string, { body, form, headers, from }: RequestOptions) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await this.#app.inject({
      method,
      url,
      headers: {
        ...(method !== 'GET' && { origin: this.#origin }),
        ...(cookie && { cookie }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(form ? { payload: new URLSearchParams(form).toString() } : body && { payload: body }),
      ...(from && { remoteAddress: from }),
    })
    for (const line of [response.headers['set-cookie'] ?? []].flat()) this.#storeCookie(line)
    return response
  }

  #storeCookie(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const isDeleted = /max-age=0(?:;|$)/i.test(line)
    if (isDeleted) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** The path of the link in a mail. */
export function linkIn(mail: Mail | undefined): string {
  const url = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0]
  if (!url) throw new Error('there is no link in this mail')
  return url.replace(/^https?:\/\/[^/]+/, '')
}

/** Signs up, confirms by mail and signs in. */
export async function signUpAndIn(server: PeopleServer, email: string): Promise<Browser> {
  const browser = server.browser()
  await browser.post('/auth/sign-up/email', { name: 'Ringer', email, password: goodPassword })
  await browser.send('POST', linkIn(server.mails.at(-1)), { form: {} })
  const answer = await browser.post('/auth/sign-in/email', { email, password: goodPassword })
  if (answer.statusCode !== 200) throw new Error(`signing in answered ${answer.statusCode}: ${answer.body}`)
  return browser
}
