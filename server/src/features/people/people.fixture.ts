import type { FastifyInstance, InjectOptions } from 'fastify'
import { auditRoutes } from '../audit/audit.routes.ts'
import type { Context } from '../../context.ts'
import type { Mail } from '../../infra/mail/mailer.ts'
import { cancelInvitations } from '../invitations/manage-invitations.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { openServer } from '../../../test/open-server.ts'
import type { TestDatabase } from '../../../test/start-database.ts'
import { apiKeyRoutes } from '../api-keys/api-key.routes.ts'
import { personDataRoutes } from '../workspace-data/person-data.routes.ts'
import { workspaceDataRoutes } from '../workspace-data/workspace-data.routes.ts'
import { accountRoutes } from './account.routes.ts'

export const goodPassword = 'seven bells at dusk'

export type PeopleServer = {
  ctx: Context
  app: FastifyInstance
  origin: string
  mails: Mail[]
  /** The address from which its browsers send. Servers on one database share limits, so each has another one. */
  address: string
  /** Moves the clock of the context forward. */
  advanceClock(ms: number): void
  browser(): Browser
  close(): Promise<void>
}

let servers = 0

/** A server with the routes for people and workspaces. Mail is collected in `mails` and not sent. */
export function openPeopleServer(
  database: TestDatabase,
  env: Record<string, string> = {},
  replace: Partial<Context> = {},
): PeopleServer {
  const origin = env['CARILLON_PUBLIC_URL'] ?? 'http://localhost:3000'
  const mails: Mail[] = []
  const address = `10.200.${servers >> 8}.${servers++ & 255}`
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
    env: { CARILLON_PUBLIC_URL: origin, CARILLON_SIGN_UP: 'open', ...env },
    replace: { mail, nowMs: () => Date.now() + aheadMs, ...replace },
    api: [apiKeyRoutes, auditRoutes, memberRoutes({ afterRoleChange: cancelInvitations }), workspaceDataRoutes, workspaceRoutes],
    root: [accountRoutes, personDataRoutes],
  })
  const browser = () => new Browser(app, origin, address)
  return { ctx, app, origin, mails, address, advanceClock: (ms) => void (aheadMs += ms), browser, close }
}

type RequestOptions = { body?: object; form?: Record<string, string>; headers?: Record<string, string>; from?: string }

/** Stores cookies and sends the Origin header, as a browser does. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #app: FastifyInstance
  readonly #origin: string
  readonly #address: string

  constructor(app: FastifyInstance, origin: string, address = '127.0.0.1') {
    this.#app = app
    this.#origin = origin
    this.#address = address
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

  async #send(
    method: NonNullable<InjectOptions['method']>,
    url: string,
    { body, form, headers, from = this.#address }: RequestOptions,
  ) {
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
      remoteAddress: from,
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

/** Where the pages of the app, which mailed links open, send their token. */
const requestPaths: Readonly<Record<string, string>> = {
  '/address': '/auth/address',
  '/verify': '/auth/verify',
  '/reset': '/auth/password',
  '/join': '/invitations/accept',
}

/** The path to which the page behind the link of a mail sends its token. */
export function linkIn(mail: Mail | undefined): string {
  const url = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0]
  if (!url) throw new Error('there is no link in this mail')
  const { pathname, search } = new URL(url)
  return `${requestPaths[pathname] ?? pathname}${search}`
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
