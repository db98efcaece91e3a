import { serveHttp } from '@carillon/mcp'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { programVersion } from '../../infra/assets/program-version.ts'
import { sendPage, wantsPage } from '../../infra/http/send-page.ts'
import { problem } from '../../infra/problem/problem.ts'
import { authenticateMcp, type McpCaller } from './authenticate-mcp.ts'
import { callApi } from './call-api.ts'

declare module 'fastify' {
  // Only an interface can be extended.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    mcpCaller?: McpCaller
  }
}

/** A file of 5 MB as base64, with what is around it. */
const bodyBytesMax = 7_200_000

/** MCP over HTTP. There are no sessions, so each request is answered by itself, and there is nothing to get or to delete. */
export function mcpRoutes(app: FastifyInstance, ctx: Context): void {
  const { config } = ctx
  if (config.mcp === 'off') return
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    handler: (request, reply) => {
      guardMcpOrigin(config.publicUrl, request)
      return refuseMethod(request, reply)
    },
  })
  app.route({
    method: 'POST',
    url: '/mcp',
    bodyLimit: bodyBytesMax,
    // Before the body is read: a stranger cannot send a large one.
    onRequest: async (request, reply) => {
      guardMcpOrigin(config.publicUrl, request)
      request.mcpCaller = await authenticateMcp(config, request, reply)
    },
    handler: (request, reply) => answer(app, ctx, { request, reply }),
  })
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

async function answer(app: FastifyInstance, ctx: Context, { request, reply }: Exchange): Promise<FastifyReply> {
  const { mcpCaller: caller } = request
  if (!caller) throw problem('api_key_missing')
  const { token, workspaceId, allow, only } = caller
  const origin = new URL(ctx.config.publicUrl).origin
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const response = await serveHttp({
    request: new Request(`${origin}/mcp`, { method: 'POST', headers: protocolHeaders(request), signal: gone.signal }),
    body: request.body,
    desk: { origin, apiKey: token, workspaceId, fetch: callApi(app, request) },
    allow,
    only,
    version: programVersion(),
    report: (err) => ctx.log.error({ err, traceId: request.id }, 'a tool of the MCP server failed'),
    reportRefused: (err) => ctx.log.info({ err, traceId: request.id }, 'a request to the MCP server was refused'),
  })
  return reply.send(response)
}

/** The headers that the protocol reads. The key is not among them: the MCP server gets it as an argument. */
function protocolHeaders({ headers }: FastifyRequest): Headers {
  const read = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (/^(?:accept|content-type|mcp-.+)$/.test(name) && typeof value === 'string') read.set(name, value)
  return read
}

/** Against pages that make a browser call this address under another name of the machine (DNS rebinding): only our own pages may. */
function guardMcpOrigin(publicUrl: string, { headers: { origin } }: FastifyRequest): void {
  if (origin !== undefined && origin !== new URL(publicUrl).origin) throw problem('origin_refused')
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  void reply.header('allow', 'POST')
  if (wantsPage(request)) {
    const page = {
      title: 'An address for assistants',
      paragraphs: [
        'Assistants such as Claude or Cursor use this address. Add it to yours as an MCP server; there is nothing to see here.',
      ],
      link: { label: 'How to add it', href: 'https://github.com/carillon-dev/carillon/blob/main/docs/guides/mcp.md' },
    }
    return sendPage(reply, page, 405)
  }
  const error = { code: -32_000, message: 'Method not allowed: send a request with POST.' }
  return reply.status(405).send({ jsonrpc: '2.0', error, id: null })
}
