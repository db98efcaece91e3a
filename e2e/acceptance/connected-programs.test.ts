import { createHash, randomBytes } from 'node:crypto'
import { execFile, spawn } from 'node:child_process'
import { request } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client'
import { root } from '@carillon/stack/services'
import { createCarillon } from '@carillon/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { findSubmits } from '../support/find-submits.ts'
import { signInAdmin } from '../support/connect-account.ts'
import type { Browser } from '../support/browser.ts'
import { carillon, findPlatformPosts, mastodon, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

/** Guarantee: a program reaches a platform only as far as a person allowed it, and the real service refuses what tries to get around that. */

const origin = testStack.baseUrl.replace(/\/api$/, '')
const { workspaceId } = testStack
const redirectUri = 'https://client.example/callback'

let person: Browser
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-programs-'))
  person = await signInAdmin(workspaceId)
}, 60_000)
afterAll(() => rm(dir, { recursive: true, force: true }))

type Pair = { access_token: string; refresh_token: string; workspace_id: string; error?: string }

async function post(path: string, form: Record<string, string>) {
  const response = await fetch(origin + path, { method: 'POST', body: new URLSearchParams(form) })
  const text = await response.text()
  return { status: response.status, data: (text === '' ? {} : JSON.parse(text)) as Pair }
}

async function register(): Promise<string> {
  const response = await fetch(`${origin}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Assistant', redirect_uris: [redirectUri] }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}

async function connect(right: string, resource = `${origin}/api`) {
  const [clientId, verifier] = [await register(), randomBytes(32).toString('base64url')]
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    state: 's',
  })
  const path = `/oauth/authorize?${query.toString()}`
  expect((await person.get(path)).text).toContain('calls itself “Assistant”')
  const back = await person.press(path, { workspace: workspaceId, right, decision: 'allow' })
  const answer = new URL(back.location ?? '').searchParams
  expect([back.status, answer.get('iss'), answer.get('state')]).toEqual([303, `${origin}/oauth`, 's'])
  const form = {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: answer.get('code') ?? '',
    redirect_uri: redirectUri,
  }
  const { status, data } = await post('/oauth/token', { ...form, code_verifier: verifier })
  expect(status).toBe(200)
  return { ...data, clientId }
}

const clientOf = ({ access_token: apiKey }: Pair) => createCarillon({ baseUrl: testStack.baseUrl, apiKey, workspaceId })

describe('a connected program', () => {
  test('with the right to draft writes a draft, which it cannot publish; a person can', async () => {
    const program = clientOf(await connect('draft'))
    const text = uniqueText('draft of a program')
    const made = await program.content.createText({ connections: [mastodon], text, saveDraft: true })
    const id = 'draftId' in made ? made.draftId : ''
    await expect(program.content.publish(id)).rejects.toMatchObject({ code: 'scope_missing' })
    await expect(program.content.createText({ connections: [mastodon], text })).rejects.toMatchObject({ code: 'scope_missing' })
    await carillon.content.publish(id)
    expect((await waitUntilFinished(id)).status).toBe('completed')
    expect(await findPlatformPosts(text)).toHaveLength(1)
  })

  test('with the right to publish reaches the platform, until its access ends while it is in use', async () => {
    const pair = await connect('publish')
    const program = clientOf(pair)
    const text = uniqueText('post of a program')
    await expect(program.content.createText({ connections: [mastodon], text })).rejects.toMatchObject({
      code: 'approval_required',
    })
    await person.open(`PATCH /api/workspaces/${workspaceId}`, { body: { approval: 'none' } })
    const made = await program.content.createText({ connections: [mastodon], text })
    expect((await waitUntilFinished('uploadId' in made ? made.uploadId : '')).status).toBe('completed')
    await person.open(`PATCH /api/workspaces/${workspaceId}`, { body: { approval: 'agents' } })
    const { data } = await carillon.workspaces.audit(workspaceId, { action: 'post.create', limit: 20 })
    expect(data.find(({ client }) => client !== null)).toMatchObject({ client: { name: 'Assistant' }, apiKeyId: null })

    const listed = await program.content.list({ limit: 1 })
    expect(listed).toBeDefined()
    const [grant] = await carillon.grants.list(workspaceId)
    await carillon.grants.end(workspaceId, grant?.id ?? '')
    const refused = await call('GET /content', { key: pair.access_token })
    expect([refused.status, refused.error.code]).toEqual([401, 'access_token_invalid'])
    expect(refused.headers.get('www-authenticate')).toContain(`${origin}/.well-known/oauth-protected-resource/api`)
    const again = { grant_type: 'refresh_token', client_id: pair.clientId, refresh_token: pair.refresh_token }
    expect((await post('/oauth/token', again)).data.error).toBe('invalid_grant')
  })

  test('gets nothing in another workspace of its person', async () => {
    const pair = await connect('publish')
    const other = await person.open('POST /api/workspaces', { body: { name: uniqueText('Other') } })
    const { id } = other.data as { id: string }
    const refused = await call('GET /content', { key: pair.access_token, workspace: id })
    expect([refused.status, refused.error.code]).toEqual([404, 'workspace_not_found'])
  })
})

/** A client of the authors of the protocol, as an assistant has one. */
function newProvider() {
  const stored: { client?: object; tokens?: { access_token: string }; found?: object; verifier: string; sentTo: URL | null } = {
    verifier: '',
    sentTo: null,
  }
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'Assistant', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    clientInformation: () => stored.client as ReturnType<OAuthClientProvider['clientInformation']>,
    saveClientInformation: (client) => void (stored.client = client),
    tokens: () => stored.tokens as ReturnType<OAuthClientProvider['tokens']>,
    saveTokens: (tokens) => void (stored.tokens = tokens),
    redirectToAuthorization: (address) => void (stored.sentTo = address),
    saveCodeVerifier: (verifier) => void (stored.verifier = verifier),
    codeVerifier: () => stored.verifier,
    saveDiscoveryState: (found) => void (stored.found = found),
    discoveryState: () => stored.found as ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>,
  }
  return { stored, provider }
}

describe('an assistant', () => {
  const serverUrl = `${origin}/mcp`

  /** Goes the whole way of the client, from the address of the MCP server to what the person's browser brings back. */
  async function allow() {
    const { stored, provider } = newProvider()
    expect(await auth(provider, { serverUrl })).toBe('REDIRECT')
    const { pathname = '', search = '' } = stored.sentTo ?? {}
    const form = { workspace: workspaceId, right: 'publish', decision: 'allow' }
    const { location } = await person.press(pathname + search, form)
    const { searchParams } = new URL(location ?? '')
    return { stored, provider, code: searchParams.get('code') ?? '', iss: searchParams.get('iss') ?? '' }
  }

  test('gets access with the answer of our server, and not with one that names another or none', async () => {
    const { stored, provider, code, iss } = await allow()
    // A server that mixes up the client makes it bring the code of ours to an address of its own.
    for (const wrong of ['https://evil.example', `${iss}/`, undefined])
      await expect(auth(provider, { serverUrl, authorizationCode: code, ...(wrong && { iss: wrong }) })).rejects.toThrow(/iss/i)
    expect(stored.tokens).toBeUndefined()
    expect(await auth(provider, { serverUrl, authorizationCode: code, iss })).toBe('AUTHORIZED')
    expect((await call('GET /content', { key: stored.tokens?.access_token ?? '' })).status).toBe(200)
  })

  test('whose access ends during a call publishes nothing with it', async () => {
    const { stored, provider, code, iss } = await allow()
    await auth(provider, { serverUrl, authorizationCode: code, iss })
    const text = uniqueText('during a call')
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'publish_post', arguments: { accounts: [mastodon], text, when: 'now' } },
    })
    const { promise, resolve } = Promise.withResolvers<string>()
    const sending = request(
      serverUrl,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stored.tokens?.access_token ?? ''}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'content-length': Buffer.byteLength(body),
        },
      },
      (response) => {
        let answer = ''
        response.on('data', (bytes: Buffer) => (answer += bytes.toString()))
        response.on('end', () => resolve(answer))
      },
    )
    // The caller is recognised before the body is read.
    sending.write(body.slice(0, 20))
    const [grant] = await carillon.grants.list(workspaceId)
    await expect.poll(async () => (await carillon.grants.list(workspaceId))[0]?.lastUsedAt ?? null).not.toBeNull()
    await carillon.grants.end(workspaceId, grant?.id ?? '')
    sending.end(body.slice(20))
    expect(await promise).toContain('access_token_invalid')
    expect(await findSubmits(text)).toMatchObject({ asked: 0 })
  })
})

describe('the command line', () => {
  const program = join(root, 'cli/src/main.ts')
  const env = () => ({ PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: dir })

  function run(args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
    return new Promise((resolve) => {
      execFile(process.execPath, [program, ...args], { env: env() }, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      ).stdin?.end()
    })
  }

  test('signs in with a browser, works, renews its access, and signs out', async () => {
    const login = spawn(process.execPath, [program, 'login', origin, '--browser'], { env: env() })
    let notes = ''
    login.stderr.on('data', (part: Buffer) => (notes += part.toString()))
    const ended = new Promise<number | null>((resolve) => login.on('close', resolve))
    await expect.poll(() => /the code (\S+)/.exec(notes)?.[1], { timeout: 20_000 }).toBeDefined()
    const userCode = /the code (\S+)/.exec(notes)?.[1] ?? ''
    expect((await person.press('/device', { user_code: userCode })).text).toContain('Carillon command line')
    const decision = { user_code: userCode, workspace: workspaceId, right: 'draft', decision: 'allow' }
    expect((await person.press('/device/decision', decision)).text).toContain('Allowed')
    expect(await ended).toBe(0)

    const who = await run(['whoami', '--json'])
    expect(JSON.parse(who.out)).toMatchObject({ workspace: { id: workspaceId }, apiKey: expect.stringMatching(/^ca_/) })
    // As after an hour.
    const file = join(dir, 'carillon', 'credentials.json')
    const stored = await readFile(file, 'utf8')
    const { writeFile } = await import('node:fs/promises')
    await writeFile(file, stored.replace(/"expiresAt": "[^"]+"/, '"expiresAt": "2020-01-01T00:00:00.000Z"'), { mode: 0o600 })
    expect((await run(['post', 'list'])).code).toBe(0)
    const renewed = JSON.parse(await readFile(file, 'utf8')) as { profiles: { default: { apiKey: string } } }
    const before = JSON.parse(stored) as typeof renewed
    expect(renewed.profiles.default.apiKey).not.toBe(before.profiles.default.apiKey)

    expect((await run(['logout'])).out).toContain('has no access any more')
    expect((await call('GET /content', { key: renewed.profiles.default.apiKey })).status).toBe(401)
  }, 120_000)
})
