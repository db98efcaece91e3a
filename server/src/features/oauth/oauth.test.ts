import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDatabase, type TestDatabase } from '../../../test/start-database.ts'
import { newUuid } from '../../infra/db/ids.ts'
import { newSecret } from '../api-keys/api-key.ts'
import { addConnections } from '../connections/add-connections.ts'
import { approvalPageRoutes } from '../posts/approval/links/approval-link.routes.ts'
import { postRoutes } from '../posts/post.routes.ts'
import { OauthServer, newRequest, origin, redirectUri, type Pair, type Person } from './oauth.fixture.ts'
import { clientsMax } from './register-client.ts'
import { sweepOauth } from './sweep-oauth.ts'

/** Guarantee: a program gets what a person allowed, in the workspace that they chose, until they end it, and nothing else. */

let database: TestDatabase
let oauth: OauthServer
let person: Person

beforeAll(async () => {
  database = await startDatabase()
  oauth = new OauthServer(database)
  person = await oauth.newPerson()
}, 60_000)

afterAll(async () => {
  await oauth.close()
  await database.stop()
})

const workspacePath = ({ workspaceId }: Person) => `/api/workspaces/${workspaceId}`
const refresh = ({ refresh_token, clientId }: Pair & { clientId: string }, more: Record<string, string> = {}) =>
  oauth.post('/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token, ...more })
const errorOf = (reply: { json<T>(): T }) => reply.json<{ error?: string }>().error

describe('guarantee: a program that a person allowed acts for them', () => {
  test('from the refusal without a token to a request with one', async () => {
    const refused = await oauth.server.app.inject({ url: workspacePath(person) })
    const [, document = ''] = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'])) ?? []
    const resource = (await oauth.server.app.inject({ url: new URL(document).pathname })).json<Record<string, string[]>>()
    expect(resource).toMatchObject({ resource: `${origin}/api`, authorization_servers: [`${origin}/oauth`] })
    const issuer = new URL(resource['authorization_servers']?.[0] ?? '')
    const server = await oauth.server.app.inject({ url: `/.well-known/oauth-authorization-server${issuer.pathname}` })
    expect(server.json()).toMatchObject({
      issuer: issuer.href,
      registration_endpoint: `${origin}/oauth/register`,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
    })
    expect(server.json<Record<string, string[]>>()['token_endpoint_auth_methods_supported']).toContain('none')

    const pair = await oauth.connect(person)
    expect(pair).toMatchObject({ access_token: expect.stringMatching(/^ca_/), refresh_token: expect.stringMatching(/^cr_/) })
    expect([pair.expires_in, pair.workspace_id]).toEqual([3600, person.workspaceId])
    expect((await oauth.call(pair.access_token, workspacePath(person))).status).toBe(200)
    const rows = await oauth.ctx.db.system.selectFrom('oauth_token').selectAll().execute()
    expect(JSON.stringify(rows.map(({ hash }) => hash.toString('latin1')))).not.toContain(pair.access_token)
  })

  test('the answer names the server, and carries the state', async () => {
    const { client_id } = await oauth.register()
    const { query } = newRequest(client_id)
    const answer = await oauth.answer(person, query)
    expect([answer.get('iss'), answer.get('state')]).toEqual([`${origin}/oauth`, 'xyz'])
    const denied = await oauth.answer(person, query, { decision: 'deny' })
    expect([denied.get('error'), denied.get('iss'), denied.get('code')]).toEqual(['access_denied', `${origin}/oauth`, null])
  })

  test('the audit log names the program', async () => {
    const other = await oauth.newPerson()
    const { clientId, ...pair } = await oauth.connect(other)
    await refresh({ ...pair, clientId })
    const { data } = await oauth.call(other.key, `${workspacePath(other)}/audit?action=grant`)
    expect(data).toMatchObject({ data: [{ action: 'grant.create', userId: other.id, client: null, apiKeyId: null }] })
    await oauth.post('/oauth/revoke', { token: pair.refresh_token, client_id: clientId })
    const after = await oauth.call(other.key, `${workspacePath(other)}/audit?action=grant.end`)
    expect(after.data).toMatchObject({ data: [{ client: { name: 'Assistant' }, apiKeyId: null }] })
  })
})

describe('guarantee: what the page says is what is known', () => {
  test('a registered program is a claim, and its redirect is named; a name is text', async () => {
    const { client_id } = await oauth.register({ client_name: '<b>Claude</b>\u202E', redirect_uris: ['https://evil.example/x'] })
    const page = await oauth.see(person, newRequest(client_id, { redirect_uri: 'https://evil.example/x' }).query)
    expect(page.body).toContain('calls itself “&lt;b&gt;Claude&lt;/b&gt;”')
    expect(page.body).toContain('goes on to evil.example')
    expect(page.body).toMatch(/value="draft" required checked/)
    expect(String(page.headers['content-security-policy'])).toContain("form-action 'self' https://evil.example;")
    const german = await oauth.see(person, {
      ...newRequest(client_id, { redirect_uri: 'https://evil.example/x' }).query,
      lang: 'de',
    })
    expect(german.body).toContain('Lesen und entwerfen')
  })

  test('a program on this computer is called that, with any port', async () => {
    const { client_id } = await oauth.register({ redirect_uris: ['http://127.0.0.1:1234/cb'] })
    const page = await oauth.see(person, newRequest(client_id, { redirect_uri: 'http://127.0.0.1:9999/cb' }).query)
    expect([page.statusCode, page.body.includes('It runs on this computer')]).toEqual([200, true])
  })

  test('a stranger is sent to sign in, and comes back', async () => {
    const { client_id } = await oauth.register()
    const page = await oauth.see(null, newRequest(client_id).query)
    expect([page.statusCode, String(page.headers['location'])]).toEqual([
      303,
      expect.stringMatching(/^\/auth\/sign-in\?returnTo=%2Foauth%2Fauthorize/),
    ])
  })

  test('another site cannot answer for a person', async () => {
    const { client_id } = await oauth.register()
    const path = `/oauth/authorize?${new URLSearchParams(newRequest(client_id).query).toString()}`
    const form = { workspace: person.workspaceId, right: 'publish', decision: 'allow' }
    for (const from of ['https://evil.example', 'null'])
      expect((await oauth.submit(person, path, form, { origin: from })).statusCode).toBe(403)
  })
})

describe('guarantee: a request that is not as it should be gets no code', () => {
  test.each([
    ['a foreign redirect', { redirect_uri: 'https://evil.example/callback' }],
    ['a redirect that begins like the right one', { redirect_uri: `${redirectUri}.evil.example` }],
    ['a redirect with a path of its own', { redirect_uri: `${redirectUri}/../evil` }],
    ['an unknown client', { client_id: 'nobody' }],
  ])('%s is shown to the person and not followed', async (_name, wrong) => {
    const { client_id } = await oauth.register()
    const page = await oauth.see(person, newRequest(client_id, wrong).query)
    expect([page.statusCode, page.headers['location']]).toEqual([400, undefined])
  })

  test.each([
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without a method', { code_challenge_method: '' }, 'invalid_request'],
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['an unknown scope', { scope: 'content:read admin' }, 'invalid_scope'],
    ['a scope that no program gets', { scope: 'workspaces:write' }, 'invalid_scope'],
    ['an approving scope', { scope: 'content:approve' }, 'invalid_scope'],
    ['a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s', async (_name, wrong, error) => {
    const { client_id } = await oauth.register()
    const { query } = newRequest(client_id, wrong)
    const seen = await oauth.see(person, query)
    expect(new URL(String(seen.headers['location'])).searchParams.get('error')).toBe(error)
    const answer = await oauth.answer(person, query)
    expect([answer.get('error'), answer.get('code'), answer.get('iss')]).toEqual([error, null, `${origin}/oauth`])
  })

  test('a workspace of others, and a right that was not offered, are not given', async () => {
    const { client_id } = await oauth.register()
    const other = await oauth.newPerson()
    const path = (more: Record<string, string> = {}) =>
      `/oauth/authorize?${new URLSearchParams(newRequest(client_id, more).query).toString()}`
    const form = { workspace: other.workspaceId, right: 'draft', decision: 'allow' }
    expect((await oauth.submit(person, path(), form)).statusCode).toBe(400)
    const more = { workspace: person.workspaceId, right: 'publish', decision: 'allow' }
    expect((await oauth.submit(person, path({ scope: 'content:read' }), more)).statusCode).toBe(400)
  })
})

describe('guarantee: a code works once, for who asked for it', () => {
  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another redirect', { redirect_uri: 'https://client.example/other' }, 'invalid_grant'],
    ['another client', { client_id: 'carillon-cli' }, 'invalid_grant'],
    ['another resource', { resource: `${origin}/mcp` }, 'invalid_target'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('%s', async (_name, wrong, error) => {
    const { client_id } = await oauth.register()
    const { query, verifier } = newRequest(client_id)
    const code = (await oauth.answer(person, query)).get('code') ?? ''
    const form = { grant_type: 'authorization_code', client_id, code, redirect_uri: redirectUri, code_verifier: verifier }
    const refused = await oauth.post('/oauth/token', { ...form, ...wrong })
    expect([refused.statusCode, errorOf(refused)]).toEqual([400, error])
  })

  /** With `plain` the challenge is the verifier, so a thief who saw the address could use the code. */
  test('the challenge itself is no verifier', async () => {
    const { client_id } = await oauth.register()
    const { query, challenge } = newRequest(client_id)
    const code = (await oauth.answer(person, query)).get('code') ?? ''
    const form = { grant_type: 'authorization_code', client_id, code, redirect_uri: redirectUri, code_verifier: challenge }
    expect(errorOf(await oauth.post('/oauth/token', form))).toBe('invalid_grant')
  })

  test('used twice it ends what it gave', async () => {
    const { form, access_token } = await oauth.connect(person)
    expect(errorOf(await oauth.post('/oauth/token', form))).toBe('invalid_grant')
    expect((await oauth.call(access_token, workspacePath(person))).code).toBe('access_token_invalid')
  })

  test('of two requests at once one gets tokens', async () => {
    const { client_id } = await oauth.register()
    const { query, verifier } = newRequest(client_id)
    const code = (await oauth.answer(person, query)).get('code') ?? ''
    const form = { grant_type: 'authorization_code', client_id, code, redirect_uri: redirectUri, code_verifier: verifier }
    const replies = await Promise.all(Array.from({ length: 5 }, () => oauth.post('/oauth/token', form)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400, 400, 400])
  })

  test('after a minute it is over', async () => {
    const own = new OauthServer(database)
    const { client_id } = await own.register()
    const { query, verifier } = newRequest(client_id)
    const code = (await own.answer(person, query)).get('code') ?? ''
    own.advanceClock(61_000)
    const form = { grant_type: 'authorization_code', client_id, code, redirect_uri: redirectUri, code_verifier: verifier }
    expect(errorOf(await own.post('/oauth/token', form))).toBe('invalid_grant')
    await own.close()
  })
})

describe('guarantee: a refresh token works once', () => {
  test('gives a new pair; the old one works again for 30 s and ends everything after that', async () => {
    const own = new OauthServer(database)
    const first = await own.connect(person)
    const again = (token: string) =>
      own.post('/oauth/token', { grant_type: 'refresh_token', client_id: first.clientId, refresh_token: token })
    const second = await again(first.refresh_token)
    expect((await again(first.refresh_token)).statusCode).toBe(200)
    const { access_token } = second.json<Pair>()
    expect((await own.call(access_token, workspacePath(person))).status).toBe(200)
    own.advanceClock(31_000)
    expect(errorOf(await again(first.refresh_token))).toBe('invalid_grant')
    expect((await own.call(access_token, workspacePath(person))).code).toBe('access_token_invalid')
    expect(errorOf(await again(second.json<Pair>().refresh_token))).toBe('invalid_grant')
    await own.close()
  })

  test('not for another client, nor as an access token, nor for more', async () => {
    const pair = await oauth.connect(person, { right: 'read' })
    expect(errorOf(await refresh(pair, { client_id: 'carillon-cli' }))).toBe('invalid_grant')
    expect(errorOf(await refresh(pair, { scope: 'content:publish' }))).toBe('invalid_scope')
    expect(errorOf(await refresh({ ...pair, refresh_token: pair.access_token }))).toBe('invalid_grant')
    expect((await oauth.call(pair.refresh_token, workspacePath(person))).status).toBe(401)
  })

  test('an access token ends after an hour', async () => {
    const own = new OauthServer(database)
    const { access_token } = await own.connect(person)
    own.advanceClock(3_601_000)
    const refused = await own.call(access_token, workspacePath(person))
    expect([refused.code, refused.challenge]).toEqual(['access_token_invalid', expect.stringContaining('error="invalid_token"')])
    await own.close()
  })
})

describe('guarantee: what was ended holds from the next request', () => {
  test('a grant that its person ends, although the token was used a moment ago', async () => {
    const pair = await oauth.connect(person)
    expect((await oauth.call(pair.access_token, workspacePath(person))).status).toBe(200)
    const { data } = await oauth.call(person.key, `${workspacePath(person)}/grants`)
    const [grant] = data as { id: string; rights: string; client: { name: string; host: string } }[]
    expect(grant).toMatchObject({ rights: 'draft', client: { name: 'Assistant', host: 'client.example' } })
    expect((await oauth.call(person.key, `${workspacePath(person)}/grants/${grant?.id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await oauth.call(pair.access_token, workspacePath(person))).code).toBe('access_token_invalid')
    expect(errorOf(await refresh(pair))).toBe('invalid_grant')
    const left = await oauth.call(person.key, `${workspacePath(person)}/grants`)
    expect((left.data as { id: string }[]).map(({ id }) => id)).not.toContain(grant?.id)
  })

  test('a grant of a member who leaves, also when they come back', async () => {
    const { workspaceId, key } = person
    const editor = await oauth.join(workspaceId, 'editor')
    const pair = await oauth.connect(editor)
    expect((await oauth.call(pair.access_token, workspacePath(editor))).status).toBe(200)
    await oauth.call(key, `/api/workspaces/${workspaceId}/members/${editor.id}`, { method: 'DELETE' })
    expect((await oauth.call(pair.access_token, workspacePath(editor))).status).toBe(401)
    const { insertMember } = await import('../members/member.store.ts')
    await insertMember(oauth.ctx.db.system, { workspaceId, personId: editor.id, role: 'editor', joinedAt: new Date() })
    expect((await oauth.call(pair.access_token, workspacePath(editor))).status).toBe(401)
    expect(errorOf(await refresh(pair))).toBe('invalid_grant')
  })

  test('revoking a refresh token; a made-up one is no error', async () => {
    const pair = await oauth.connect(person)
    expect((await oauth.post('/oauth/revoke', { token: newSecret('cr') })).statusCode).toBe(200)
    expect((await oauth.post('/oauth/revoke', { token: pair.refresh_token, client_id: pair.clientId })).statusCode).toBe(200)
    expect((await oauth.call(pair.access_token, workspacePath(person))).status).toBe(401)
  })

  test('members see and end their own grants, admins all of the workspace, others none', async () => {
    const [owner, other] = [await oauth.newPerson(), await oauth.newPerson()]
    const [viewer, editor] = [await oauth.join(owner.workspaceId, 'viewer'), await oauth.join(owner.workspaceId, 'editor')]
    await oauth.connect(viewer, { right: 'read' })
    const list = async ({ cookie }: Person) => {
      const reply = await oauth.server.app.inject({ url: `${workspacePath(owner)}/grants`, headers: { cookie } })
      return { status: reply.statusCode, grants: reply.json<{ data?: { id: string }[] }>().data ?? [] }
    }
    const [grant] = (await list(viewer)).grants
    expect([(await list(owner)).grants.length, (await list(editor)).grants.length]).toEqual([1, 0])
    expect((await list(other)).status).toBe(404)
    const end = async ({ cookie, workspaceId }: Person) =>
      (
        await oauth.server.app.inject({
          method: 'DELETE',
          url: `/api/workspaces/${workspaceId}/grants/${grant?.id}`,
          headers: { cookie, origin },
        })
      ).statusCode
    expect([await end(editor), await end(other), await end(owner), await end(viewer)]).toEqual([404, 404, 200, 404])
  })
})

describe('guarantee: a grant holds in its workspace, for its resource and with its scopes', () => {
  test('another workspace of the same person is refused', async () => {
    const other = await oauth.newPerson()
    const { insertMember } = await import('../members/member.store.ts')
    await insertMember(oauth.ctx.db.system, {
      workspaceId: other.workspaceId,
      personId: person.id,
      role: 'owner',
      joinedAt: new Date(),
    })
    const { access_token } = await oauth.connect(person)
    expect((await oauth.call(access_token, workspacePath(other))).code).toBe('workspace_not_found')
    expect((await oauth.call(access_token, '/api/workspaces')).code).toBe('scope_missing')
  })

  test('it manages no keys, members or grants', async () => {
    const { access_token } = await oauth.connect(person, { right: 'publish' })
    const { data } = await oauth.call(person.key, `${workspacePath(person)}/grants`)
    const [grant] = data as { id: string }[]
    for (const path of [`/grants/${grant?.id}`, `/members/${person.id}`])
      expect((await oauth.call(access_token, workspacePath(person) + path, { method: 'DELETE' })).code).toBe('scope_missing')
  })

  test('a token for the API is none for the MCP server', async () => {
    const { access_token } = await oauth.connect(person)
    const { findGrantHolder } = await import('./find-grant-holder.ts')
    const at = (path: string, token: string) => findGrantHolder(oauth.ctx, token, { workspaceId: person.workspaceId, path })
    expect(await at('/mcp', access_token)).toBeUndefined()
    const mcp = await oauth.connect(person, { resource: `${origin}/mcp` })
    expect(await at('/mcp', mcp.access_token)).toMatchObject({ personId: person.id, workspaceOnly: true })
    expect(await at('/api/content', mcp.access_token)).toMatchObject({ personId: person.id })
  })

  test('with the right to draft nothing is published, by no way', async () => {
    const own = new OauthServer(database, {}, { api: [postRoutes] })
    const codesFor = async (right: string) => {
      const { access_token: token, workspace_id: workspace } = await own.connect(person, { right })
      const codes = []
      for (const path of ['publish', 'publish-now', 'retry'])
        codes.push(
          (await own.call(token, `/api/content/${'a'.repeat(24)}/${path}`, { method: 'POST', workspace, body: {} })).code,
        )
      return codes
    }
    expect(await codesFor('draft')).toEqual(['scope_missing', 'scope_missing', 'scope_missing'])
    expect(await codesFor('read')).toEqual(['scope_missing', 'scope_missing', 'scope_missing'])
    expect(await codesFor('publish')).not.toContain('scope_missing')
    await own.close()
  })

  test('guarantee: a connected program publishes nothing alone, and hands over a link that opens until its access ends', async () => {
    const own = new OauthServer(database, {}, { api: [postRoutes], root: [approvalPageRoutes] })
    const { access_token: token, workspace_id: workspace } = await own.connect(person, { right: 'publish' })
    const account = { platform: 'mastodon' as const, instanceUrl: 'https://social.example', credentials: { accessToken: 't' } }
    const [connection] = await addConnections(own.ctx, workspace, [{ ...account, handle: newUuid(), accountId: newUuid() }])
    const body = { connections: [connection?.slug], text: 'The bells ring.' }
    const create = (more: object) =>
      own.call(token, '/api/content/text', { method: 'POST', workspace, body: { ...body, ...more } })
    expect((await create({})).code).toBe('approval_required')
    const { approvalLink } = (await create({ submit: true })).data as { approvalLink: { url: string } }
    const open = () => own.server.app.inject({ method: 'GET', url: new URL(approvalLink.url).pathname })
    expect((await open()).body).toContain('The bells ring.')
    const { data } = await own.call(person.key, `${workspacePath(person)}/grants`)
    for (const { id } of data as { id: string }[])
      await own.call(person.key, `${workspacePath(person)}/grants/${id}`, { method: 'DELETE' })
    expect((await open()).statusCode).toBe(404)
    await own.close()
  })

  test('a wrong API key is not told to sign in', async () => {
    expect((await oauth.call(newSecret('sk'), workspacePath(person))).challenge).toBeUndefined()
    expect((await oauth.call(newSecret('ca'), workspacePath(person))).challenge).toContain('resource_metadata=')
  })
})

describe('guarantee: registrations cannot fill the database', () => {
  test('equal ones are one program, also with another port on this computer', async () => {
    const [first, second] = [await oauth.register(), await oauth.register()]
    expect([first.status, second.client_id]).toEqual([201, first.client_id])
    const local = (port: number) => oauth.register({ redirect_uris: [`http://127.0.0.1:${port}/cb`] })
    expect((await local(4000)).client_id).toBe((await local(5000)).client_id)
    expect((await oauth.register({ client_name: 'Another' })).client_id).not.toBe(first.client_id)
  })

  test.each([
    ['javascript:alert(1)'],
    ['http://client.example/cb'],
    ['https://user:secret@client.example/cb'],
    ['https://client.example/cb#x'],
    ['https://a;script-src/cb'],
    ['data:text/html,x'],
    ['/relative'],
  ])('the redirect %s is refused', async (uri) => {
    expect(await oauth.register({ redirect_uris: [uri] })).toMatchObject({ status: 400, error: 'invalid_redirect_uri' })
  })

  test('ten thousand leave a bounded number, and a real program still gets in', async () => {
    const { system } = oauth.ctx.db
    const old = new Date(Date.now() - 3_600_000)
    for (let from = 0; from < clientsMax; from += 500)
      await system
        .insertInto('oauth_client')
        .values(
          Array.from({ length: 500 }, (_, n) => ({
            id: `made up ${from + n}`,
            source: 'registered' as const,
            name: 'x',
            redirect_uris: [],
            created_at: old,
          })),
        )
        .execute()
    const { registerClient } = await import('./register-client.ts')
    const count = async () => (await system.selectFrom('oauth_client').select('id').execute()).length
    const before = await count()
    for (let n = 0; n < 120; n++)
      await registerClient(oauth.ctx, { client_name: `flood ${n}`, redirect_uris: [redirectUri] }, `10.77.${n}.1`)
    expect(await count()).toBeLessThanOrEqual(before)
    const statuses = []
    for (let n = 0; n < 62; n++) statuses.push((await oauth.register({ client_name: `one network ${n}` }, '10.78.0.1')).status)
    expect([statuses.filter((status) => status === 201).length, statuses.at(-1)]).toEqual([60, 429])
    // All are new: none makes room, and the next one waits.
    await system.updateTable('oauth_client').set({ created_at: new Date() }).where('source', '=', 'registered').execute()
    const rows = clientsMax - (await count())
    for (let n = 0; n < rows; n++)
      await system
        .insertInto('oauth_client')
        .values({ id: `fill ${n}`, source: 'registered', name: 'x', redirect_uris: [], created_at: new Date() })
        .execute()
    expect(await oauth.register({ client_name: 'too many' }, '10.79.0.1')).toMatchObject({
      status: 503,
      error: 'temporarily_unavailable',
    })
    await system.deleteFrom('oauth_client').where('name', '=', 'x').execute()
  }, 60_000)

  test('unused ones go after 30 days; those with access stay', async () => {
    const own = new OauthServer(database)
    const [unused, used] = [await own.register({ client_name: 'Unused' }), await own.register({ client_name: 'Used' })]
    await own.connect(person, { clientId: used.client_id })
    own.advanceClock(29 * 86_400_000)
    await sweepOauth(own.ctx)
    const ids = async () => (await own.ctx.db.system.selectFrom('oauth_client').select('id').execute()).map(({ id }) => id)
    expect(await ids()).toEqual(expect.arrayContaining([unused.client_id, used.client_id, 'carillon-cli']))
    own.advanceClock(86_400_000 - 60_000)
    await own.ctx.db.system
      .updateTable('oauth_client')
      .set({ created_at: new Date(0) })
      .where('id', '=', unused.client_id)
      .execute()
    await sweepOauth(own.ctx)
    expect(await ids()).toEqual(expect.arrayContaining([used.client_id, 'carillon-cli']))
    expect(await ids()).not.toContain(unused.client_id)
    await own.close()
  })

  test('one setting closes it', async () => {
    const closed = new OauthServer(database, { CARILLON_OAUTH_REGISTRATION: 'closed' })
    expect((await closed.register()).status).toBe(403)
    const metadata = await closed.server.app.inject({ url: '/.well-known/oauth-authorization-server/oauth' })
    expect(metadata.json()).not.toHaveProperty('registration_endpoint')
    await closed.close()
  })
})

describe('guarantee: a device gets access only from the person who typed its code', () => {
  const start = async () =>
    (await oauth.post('/oauth/device', { client_id: 'carillon-cli' })).json<{
      device_code: string
      user_code: string
      verification_uri: string
    }>()
  const poll = (device_code: string, server = oauth) =>
    server.post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'carillon-cli',
      device_code,
    })

  test('pending, then allowed, then once', async () => {
    const { device_code, user_code } = await start()
    expect(errorOf(await poll(device_code))).toBe('authorization_pending')
    expect(errorOf(await poll(device_code))).toBe('slow_down')
    const typed = user_code.toLowerCase().replace('-', ' ')
    const page = await oauth.submit(person, '/device', { user_code: typed })
    expect([page.statusCode, page.body.includes(user_code), page.body.includes('Carillon command line')]).toEqual([
      200,
      true,
      true,
    ])
    const form = { user_code, workspace: person.workspaceId, right: 'publish', decision: 'allow' }
    expect((await oauth.submit(person, '/device/decision', form)).body).toContain('Allowed')
    const made = await poll(device_code)
    expect(made.json<Pair>()).toMatchObject({
      workspace_id: person.workspaceId,
      scope: expect.stringContaining('content:publish'),
    })
    const { access_token } = made.json<Pair>()
    expect((await oauth.call(access_token, workspacePath(person))).status).toBe(200)
    expect(errorOf(await poll(device_code))).toBe('invalid_grant')
    expect((await oauth.call(access_token, workspacePath(person))).status).toBe(401)
  })

  test('denied, unknown and answered twice', async () => {
    const { device_code, user_code } = await start()
    const form = { user_code, workspace: person.workspaceId, right: 'read' }
    await oauth.submit(person, '/device/decision', { ...form, decision: 'deny' })
    expect(errorOf(await poll(device_code))).toBe('access_denied')
    expect((await oauth.submit(person, '/device/decision', { ...form, decision: 'allow' })).statusCode).toBe(404)
    expect(errorOf(await poll('made-up'))).toBe('expired_token')
    const opened = await oauth.server.app.inject({ url: `/device?user_code=${user_code}`, headers: { cookie: person.cookie } })
    expect(opened.statusCode).toBe(404)
  })

  test('only programs of this release start one', async () => {
    const { client_id } = await oauth.register()
    expect(errorOf(await oauth.post('/oauth/device', { client_id }))).toBe('unauthorized_client')
  })
})

describe('guarantee: the document of a program is read as it is at its address', () => {
  const id = 'https://program.example/oauth/client.json'
  const document = { client_id: id, client_name: 'Program', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }
  let answer: () => { status: number; body: Buffer }
  const requests: unknown[] = []

  async function open() {
    const own = new OauthServer(
      database,
      {},
      {
        replace: {
          egress: {
            ...oauth.ctx.egress,
            async request(request) {
              requests.push(request)
              return { headers: {}, truncated: false, url: id, ...answer() }
            },
          },
        },
      },
    )
    await own.ctx.db.system.deleteFrom('oauth_client').where('source', '=', 'document').execute()
    requests.length = 0
    return own
  }
  const json = (body: object) => () => ({ status: 200, body: Buffer.from(JSON.stringify(body)) })

  test('cached for an hour, and used for seven days when it cannot be read', async () => {
    const own = await open()
    answer = json(document)
    const see = async () => (await own.see(person, newRequest(id).query)).statusCode
    expect([await see(), await see(), requests.length]).toEqual([200, 200, 1])
    expect(requests[0]).toMatchObject({ url: id, https: true, bytesMax: 5000, timeoutMs: 5000 })
    expect(requests[0]).not.toHaveProperty('redirects')
    answer = () => ({ status: 503, body: Buffer.from('') })
    own.advanceClock(3_700_000)
    // The session of the fixture lasts an hour.
    const later = { ...person, cookie: await (await import('../people/session.fixture.ts')).openSession(own.ctx, person.id) }
    expect((await own.see(later, newRequest(id).query)).statusCode).toBe(200)
    own.advanceClock(7 * 86_400_000)
    const muchLater = { ...person, cookie: await (await import('../people/session.fixture.ts')).openSession(own.ctx, person.id) }
    expect((await own.see(muchLater, newRequest(id).query)).statusCode).toBe(400)
    await own.close()
  })

  test('not for a stranger, and not if it is of another program or its secret is asked for', async () => {
    const own = await open()
    answer = json(document)
    await own.see(null, newRequest(id).query)
    expect(requests).toEqual([])
    for (const wrong of [
      { client_id: 'https://other.example/x' },
      { redirect_uris: ['javascript:alert(1)'] },
      { token_endpoint_auth_method: 'client_secret_post' },
      { redirect_uris: [] },
    ]) {
      answer = json({ ...document, ...wrong })
      expect((await own.see(person, newRequest(id).query)).statusCode).toBe(400)
    }
    for (const odd of [
      'http://program.example/x',
      'https://program.example/',
      'https://u:p@program.example/x',
      `${id}#x`,
      'https://program.example/a/../b',
    ]) {
      requests.length = 0
      expect([(await own.see(person, newRequest(odd).query)).statusCode, requests]).toEqual([400, []])
    }
    await own.close()
  })

  test('a private address is never asked', async () => {
    const own = new OauthServer(database)
    expect((await own.see(person, newRequest('https://127.0.0.1/client.json').query)).statusCode).toBe(400)
    await own.close()
  })
})
