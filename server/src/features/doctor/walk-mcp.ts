import { request } from 'undici'
import { type Finding, fail, ok, skipped, warn } from './check.ts'
import type { NamedFinding } from './run-checks.ts'

type Reply = { status: number; headers: Record<string, string | string[] | undefined>; json: Record<string, unknown> }

const timeoutMs = 10_000
const bytesMax = 200_000

/**
 * Walks the way of a client that is given only the address of the MCP server, from outside: the refusal without a key, what it says about
 * signing in, and the authorization server. The first link that breaks ends the walk, because a client would stop there too.
 */
export async function walkMcp(publicUrl: string, key: string | null): Promise<NamedFinding[]> {
  const { origin } = new URL(publicUrl)
  const found: NamedFinding[] = []
  const note = (name: string, finding: Finding) => {
    found.push({ name, ...finding })
    return finding.status === 'ok'
  }
  const refused = await ask(`${origin}/mcp`, initialize)
  if (!note('mcp-address', judgeAddress(origin, refused)) || refused instanceof Error) return found
  if (key !== null) note('mcp-key', judgeKey(await ask(`${origin}/mcp`, listTools, { authorization: `Bearer ${key}` })))
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate'] ?? ''))?.[1]
  if (metadataUrl === undefined) {
    note(
      'mcp-sign-in',
      skipped(
        'This Carillon has no authorization server for assistants: clients connect with an API key, and those that take none cannot.',
      ),
    )
    return found
  }
  const resource = await ask(metadataUrl)
  if (!note('mcp-resource', judgeResource(origin, resource)) || resource instanceof Error) return found
  await walkServer(String([resource.json['authorization_servers']].flat()[0]), note)
  return found
}

async function walkServer(issuer: string, note: (name: string, finding: Finding) => boolean): Promise<void> {
  const { origin, pathname } = new URL(issuer)
  const server = await ask(`${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`)
  if (!note('mcp-server', judgeServer(issuer, server)) || server instanceof Error) return
  const { client_id_metadata_document_supported: takesDocuments, registration_endpoint: registration } = server.json
  const methods = [server.json['token_endpoint_auth_methods_supported']].flat()
  note(
    'mcp-registration',
    takesDocuments === true && methods.includes('none')
      ? ok('Clients are known by the address of their metadata document.')
      : registration !== undefined
        ? ok('Clients register themselves.')
        : warn(
            'A client can neither register nor name a metadata document.',
            'Enter the id of a client by hand in the client, or allow registration.',
          ),
  )
  const authorize = await ask(String(server.json['authorization_endpoint']))
  note(
    'mcp-authorize',
    authorize instanceof Error || authorize.status === 404 || authorize.status >= 500
      ? fail(`The page for signing in does not answer: ${describe(authorize)}.`, 'Let the proxy forward its path to Carillon.')
      : ok('The page for signing in answers.'),
  )
}

function judgeAddress(origin: string, reply: Reply | Error): Finding {
  if (reply instanceof Error)
    return fail(`${origin}/mcp cannot be reached: ${reply.message}.`, 'Check the name, the certificate and the proxy.')
  const { status, headers } = reply
  if (status === 404)
    return fail(`There is nothing at ${origin}/mcp.`, 'Let the proxy forward /mcp, and see that CARILLON_MCP is not off.')
  if (status === 403)
    return fail(
      `${origin}/mcp refuses strangers with 403 instead of 401, so no client asks for a key.`,
      'Look for a rule of the proxy or of a firewall.',
    )
  if (status !== 401)
    return fail(`${origin}/mcp answers a stranger with ${status} instead of 401.`, 'Let the proxy lead to Carillon.')
  if (headers['www-authenticate'] === undefined)
    return fail(
      'The refusal has lost its header WWW-Authenticate on the way.',
      'Let the proxy pass on all headers of a response.',
    )
  return ok(`${origin}/mcp asks strangers for a key.`)
}

function judgeKey(reply: Reply | Error): Finding {
  if (!(reply instanceof Error) && reply.status === 200) return ok('The tools answer to this key.')
  if (!(reply instanceof Error) && reply.status === 401)
    return fail(
      'The key is refused.',
      'It is wrong, revoked or has ended, or the proxy drops the header Authorization. Try it at /api/me.',
    )
  return fail(`The tools do not answer to this key: ${describe(reply)}.`, 'Look into the log of the server.')
}

function judgeResource(origin: string, reply: Reply | Error): Finding {
  if (reply instanceof Error || reply.status !== 200)
    return fail(
      `The metadata of the resource cannot be read: ${describe(reply)}.`,
      'Let the proxy forward /.well-known/ to Carillon.',
    )
  const { resource, authorization_servers: servers } = reply.json
  if (resource !== `${origin}/mcp`)
    return fail(
      `The metadata is about "${String(resource)}" and not about ${origin}/mcp.`,
      'Correct CARILLON_PUBLIC_URL: clients compare the two.',
    )
  const [first] = [servers].flat()
  if (typeof first !== 'string' || !URL.canParse(first))
    return fail('The metadata names no authorization server.', 'This is a fault of Carillon: report it.')
  return ok(`The metadata names the authorization server ${first}.`)
}

function judgeServer(issuer: string, reply: Reply | Error): Finding {
  if (reply instanceof Error || reply.status !== 200)
    return fail(
      `The metadata of the authorization server cannot be read: ${describe(reply)}.`,
      'Let the proxy forward /.well-known/ to Carillon.',
    )
  if (reply.json['issuer'] !== issuer)
    return fail(
      `The authorization server calls itself "${String(reply.json['issuer'])}" and not ${issuer}.`,
      'Correct CARILLON_PUBLIC_URL.',
    )
  return ok('The authorization server describes itself.')
}

function describe(reply: Reply | Error): string {
  return reply instanceof Error ? reply.message : `it answers with status ${reply.status}`
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'carillon doctor', version: '1' } },
}
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

/** One request as a client sends it, without following redirects: a client with a key must not either. */
async function ask(url: string, body?: object, more: Record<string, string> = {}): Promise<Reply | Error> {
  if (!URL.canParse(url)) return new Error(`"${url}" is no address`)
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = body
      ? {
          method: 'POST' as const,
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more },
        }
      : {}
    const { statusCode: status, headers, body: received } = await request(url, { signal, ...sent })
    return { status, headers, json: readJson((await received.text()).slice(0, bytesMax)) }
  } catch (error) {
    const { code, name, message } = error as Error & { code?: string }
    return new Error(name === 'TimeoutError' ? 'no answer within 10 seconds' : code || message)
  }
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
