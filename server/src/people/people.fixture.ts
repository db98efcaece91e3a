import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { auditRoutes } from '../audit/audit.routes.ts'
import { readConfig } from '../config.ts'
import type { Context } from '../context.ts'
import { createContext } from '../create-context.ts'
import { migrate } from '../db/migrate.ts'
import { createApp } from '../http/app.ts'
import type { Mail } from '../mail/mailer.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { accountRoutes } from './account.routes.ts'

export const secretKeys = `k1:${Buffer.alloc(32, 7).toString('base64')}`
export const goodPassword = 'seven bells at dusk'

export type Town = { url: string; stop(): Promise<void> }
type StartPostgres = (options: { dir: string; fsync: boolean }) => Promise<{ url: string; stop(): Promise<unknown> }>

/** A real database, shared by the tests of a file. */
export async function startTown(startPostgres: StartPostgres): Promise<Town> {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-people-'))
  const postgres = await startPostgres({ dir, fsync: false })
  await migrate(postgres.url)
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export type World = {
  ctx: Context
  app: FastifyInstance
  origin: string
  mails: Mail[]
  /** Moves the clock of everything that asks the context for the time. */
  pass(ms: number): void
  browser(): Browser
  close(): Promise<void>
}

/** The API for people and workspaces, with mail kept instead of sent. */
export function openWorld(town: Town, env: Record<string, string> = {}): World {
  const origin = env['CARILLON_PUBLIC_URL'] ?? 'http://localhost:3000'
  const config = readConfig({
    DATABASE_URL: town.url,
    CARILLON_SECRET_KEYS: secretKeys,
    CARILLON_LOG_LEVEL: 'silent',
    CARILLON_PUBLIC_URL: origin,
    ...env,
  })
  const opened = createContext(config)
  const mails: Mail[] = []
  let aheadMs = 0
  const mail: Context['mail'] = {
    async send(letter) {
      mails.push(letter)
      return 'sent'
    },
    close() {},
  }
  const ctx = { ...opened.ctx, mail, nowMs: () => Date.now() + aheadMs }
  const app = createApp(ctx, [auditRoutes, memberRoutes, workspaceRoutes], [accountRoutes])
  return {
    ctx,
    app,
    origin,
    mails,
    pass: (ms) => void (aheadMs += ms),
    browser: () => new Browser(app, origin),
    async close() {
      await app.close()
      await opened.close()
    },
  }
}

type Asked = { body?: object; form?: Record<string, string>; headers?: Record<string, string>; from?: string }

/** Keeps cookies and says whose page it is on, as a browser would. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #app: FastifyInstance
  readonly #origin: string

  constructor(app: FastifyInstance, origin: string) {
    this.#app = app
    this.#origin = origin
  }

  get(url: string, asked: Asked = {}) {
    return this.#send('GET', url, asked)
  }

  post(url: string, body: object = {}, asked: Asked = {}) {
    return this.#send('POST', url, { body, ...asked })
  }

  send(method: NonNullable<InjectOptions['method']>, url: string, asked: Asked = {}) {
    return this.#send(method, url, asked)
  }

  async #send(method: NonNullable<InjectOptions['method']>, url: string, { body, form, headers, from }: Asked) {
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
    for (const line of [response.headers['set-cookie'] ?? []].flat()) this.#keep(line)
    return response
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const isOver = /max-age=0(?:;|$)/i.test(line)
    if (isOver) this.cookies.delete(pair.slice(0, at))
    else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** The address a mail leads to, as a path of ours. */
export function linkIn(mail: Mail | undefined): string {
  const url = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0]
  if (!url) throw new Error('there is no link in this mail')
  return url.replace(/^https?:\/\/[^/]+/, '')
}

/** Signs up, confirms by mail and signs in. */
export async function signedIn(world: World, email: string): Promise<Browser> {
  const browser = world.browser()
  await browser.post('/auth/sign-up/email', { name: 'Ringer', email, password: goodPassword })
  await browser.send('POST', linkIn(world.mails.at(-1)), { form: {} })
  const answer = await browser.post('/auth/sign-in/email', { email, password: goodPassword })
  if (answer.statusCode !== 200) throw new Error(`signing in answered ${answer.statusCode}: ${answer.body}`)
  return browser
}
