import { createHash, randomBytes } from 'node:crypto'
import { openServer, type TestServer } from '../../../test/open-server.ts'
import type { TestDatabase } from '../../../test/start-database.ts'
import type { Context } from '../../context.ts'
import { newUuid } from '../../infra/db/ids.ts'
import type { Routes } from '../../infra/http/create-app.ts'
import { auditRoutes } from '../audit/audit.routes.ts'
import { insertMember } from '../members/member.store.ts'
import { memberRoutes } from '../members/member.routes.ts'
import { signInAs } from '../people/sign-in.fixture.ts'
import { ensurePerson } from '../people/find-person.ts'
import { setUpWorkspace } from '../workspaces/set-up-install.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { consentRoutes } from './consent.routes.ts'
import { grantRoutes } from './grant.routes.ts'
import { oauthRoutes } from './oauth.routes.ts'

export const origin = 'http://localhost:3000'
export const redirectUri = 'https://client.example/callback'

export type Person = { id: string; workspaceId: string; cookie: string; key: string }
export type Pair = { access_token: string; refresh_token: string; scope: string; workspace_id: string; expires_in: number }

let networks = 0

/** A server on which programs can ask for access, and people who decide about them. */
export class OauthServer {
  readonly server: TestServer
  readonly #network: string
  #aheadMs = 0

  constructor(
    database: TestDatabase,
    env: Record<string, string> = {},
    more: { api?: readonly Routes[]; root?: readonly Routes[]; replace?: Partial<Context> } = {},
  ) {
    this.#network = `10.201.0.${networks++}`
    this.server = openServer({
      database,
      env: { CARILLON_PUBLIC_URL: origin, ...env },
      replace: { nowMs: () => Date.now() + this.#aheadMs, ...more.replace },
      api: [auditRoutes, grantRoutes, memberRoutes({ afterRoleChange: async () => {} }), workspaceRoutes, ...(more.api ?? [])],
      root: [consentRoutes, oauthRoutes, ...(more.root ?? [])],
    })
  }

  get ctx(): Context {
    return this.server.ctx
  }

  advanceClock(ms: number): void {
    this.#aheadMs += ms
  }

  async newPerson(): Promise<Person> {
    const made = await setUpWorkspace(this.ctx, { workspace: 'Tower', email: `${newUuid()}@example.com` })
    return { id: made.personId, workspaceId: made.workspaceId, key: made.apiKey, cookie: await signInAs(this.ctx, made.personId) }
  }

  async join(workspaceId: string, role: 'viewer' | 'editor' | 'admin'): Promise<Person> {
    const { id } = await ensurePerson(this.ctx.db.system, `${newUuid()}@example.com`, Date.now())
    await insertMember(this.ctx.db.system, { workspaceId, personId: id, role, joinedAt: new Date() })
    return { id, workspaceId, key: '', cookie: await signInAs(this.ctx, id) }
  }

  /** As a program sends it: a form, without cookies and without an Origin. */
  post(path: string, form: Record<string, string>) {
    return this.server.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
      remoteAddress: this.#network,
    })
  }

  async register(body: object = {}, from = this.#network) {
    const reply = await this.server.app.inject({
      method: 'POST',
      url: '/oauth/register',
      payload: { client_name: 'Assistant', redirect_uris: [redirectUri], ...body },
      remoteAddress: from,
    })
    return { status: reply.statusCode, ...reply.json<{ client_id: string; error?: string }>() }
  }

  see(person: Person | null, query: Record<string, string>) {
    return this.server.app.inject({
      url: `/oauth/authorize?${new URLSearchParams(query).toString()}`,
      headers: { ...(person && { cookie: person.cookie }), accept: 'text/html' },
      remoteAddress: this.#network,
    })
  }

  /** As the browser of a person sends a form of ours. */
  submit(person: Person, path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    return this.server.app.inject({
      method: 'POST',
      url: path,
      headers: { cookie: person.cookie, origin, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
      remoteAddress: this.#network,
    })
  }

  /** The answer that the browser carries to the program. */
  async answer(person: Person, query: Record<string, string>, form: Record<string, string> = {}): Promise<URLSearchParams> {
    const path = `/oauth/authorize?${new URLSearchParams(query).toString()}`
    const reply = await this.submit(person, path, { workspace: person.workspaceId, right: 'draft', decision: 'allow', ...form })
    if (reply.statusCode !== 303) throw new Error(`${reply.statusCode}: ${reply.body}`)
    return new URL(String(reply.headers['location'])).searchParams
  }

  async connect(person: Person, { right = 'draft', ...more }: { right?: string; resource?: string; clientId?: string } = {}) {
    const clientId = more.clientId ?? (await this.register()).client_id
    const { query, verifier } = newRequest(clientId, more.resource === undefined ? {} : { resource: more.resource })
    const code = (await this.answer(person, query, { right })).get('code') ?? ''
    const form = {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    const reply = await this.post('/oauth/token', form)
    if (reply.statusCode !== 200) throw new Error(reply.body)
    return { ...reply.json<Pair>(), form, clientId }
  }

  async call(
    token: string,
    path: string,
    { method = 'GET', workspace, body }: { method?: 'GET' | 'POST' | 'DELETE'; workspace?: string; body?: object } = {},
  ) {
    const reply = await this.server.app.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${token}`, ...(workspace && { 'x-workspace-id': workspace }) },
      ...(body && { payload: body }),
    })
    const { data, error } = reply.json<{ data?: unknown; error?: { code: string } }>()
    return { status: reply.statusCode, code: error?.code, data, challenge: reply.headers['www-authenticate'] }
  }

  close(): Promise<void> {
    return this.server.close()
  }
}

export function newRequest(clientId: string, more: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const query: Record<string, string> = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${origin}/api`,
    state: 'xyz',
    ...more,
  }
  return { query, verifier, challenge }
}
