import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { walkMcp } from './walk-mcp.ts'

/** Guarantee: the first link that breaks on the way of an assistant is named, with what to do. */

type Answer = { status: number; headers?: Record<string, string>; body?: object }
let server: Server | null = null
afterEach(() => {
  server?.close()
  server = null
})

async function serve(answers: (origin: string) => Record<string, Answer>): Promise<string> {
  let origin = ''
  const answer = (url: string, authorization: string | undefined, response: ServerResponse) => {
    const all = answers(origin)
    const { status, headers = {}, body = {} } = (authorization && all[`${url} with key`]) || (all[url] ?? { status: 404 })
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
  server = createServer((request, response) => {
    request.resume()
    answer(request.url ?? '', request.headers.authorization, response)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return origin
}

const walk = async (origin: string, key: string | null = null) =>
  (await walkMcp(origin, key)).map(({ name, status }) => `${name} ${status}`)
const bearer = { 'www-authenticate': 'Bearer' }

test.each([
  ['nothing there', {}, ['mcp-address fail']],
  ['a firewall', { '/mcp': { status: 403 } }, ['mcp-address fail']],
  ['a header that a proxy drops', { '/mcp': { status: 401 } }, ['mcp-address fail']],
  ['keys only', { '/mcp': { status: 401, headers: bearer } }, ['mcp-address ok', 'mcp-sign-in skipped']],
])('%s', async (_what, answers: Record<string, Answer>, expected) => {
  expect(await walk(await serve(() => answers))).toEqual(expected)
})

test('a key that works, and one that does not', async () => {
  const with200 = await serve(() => ({ '/mcp': { status: 401, headers: bearer }, '/mcp with key': { status: 200 } }))
  expect(await walk(with200, 'sk_x')).toContain('mcp-key ok')
  server?.close()
  const with401 = await serve(() => ({ '/mcp': { status: 401, headers: bearer }, '/mcp with key': { status: 401 } }))
  expect(await walk(with401, 'sk_x')).toContain('mcp-key fail')
})

const metadataPath = '/.well-known/oauth-protected-resource/mcp'
const serverPath = '/.well-known/oauth-authorization-server/auth'

function signIn(origin: string, change: Record<string, Answer> = {}): Record<string, Answer> {
  return {
    '/mcp': { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${origin}${metadataPath}"` } },
    [metadataPath]: { status: 200, body: { resource: `${origin}/mcp`, authorization_servers: [`${origin}/auth`] } },
    [serverPath]: {
      status: 200,
      body: {
        issuer: `${origin}/auth`,
        authorization_endpoint: `${origin}/auth/authorize`,
        token_endpoint_auth_methods_supported: ['none'],
        client_id_metadata_document_supported: true,
      },
    },
    '/auth/authorize': { status: 400 },
    ...change,
  }
}

test('the whole way to an authorization server', async () => {
  expect(await walk(await serve(signIn))).toEqual([
    'mcp-address ok',
    'mcp-resource ok',
    'mcp-server ok',
    'mcp-registration ok',
    'mcp-authorize ok',
  ])
})

test.each([
  ['the metadata is not forwarded', () => ({ [metadataPath]: { status: 404 } }), 'mcp-resource fail'],
  [
    'it is about another address',
    () => ({ [metadataPath]: { status: 200, body: { resource: 'https://other.example/mcp' } } }),
    'mcp-resource fail',
  ],
  ['the server is not found', () => ({ [serverPath]: { status: 404 } }), 'mcp-server fail'],
  [
    'the server has another name',
    () => ({ [serverPath]: { status: 200, body: { issuer: 'https://other.example' } } }),
    'mcp-server fail',
  ],
  ['the page for signing in is missing', () => ({ '/auth/authorize': { status: 404 } }), 'mcp-authorize fail'],
])('%s', async (_what, change, last) => {
  expect((await walk(await serve((origin) => signIn(origin, change())))).at(-1)).toBe(last)
})
