import { createMcpHandler } from '@modelcontextprotocol/server'
import { buildServer, type ServerOptions } from './build-server.ts'
import { createDesk, type DeskOptions } from './desk.ts'

/** One request of a client, by a caller who is known already. */
export type HttpCall = Pick<ServerOptions, 'allow' | 'only' | 'report' | 'version'> & {
  request: Request
  /** The body of the request, which the caller has read. */
  body: unknown
  desk: DeskOptions
  /** A request that does not follow the protocol. The client is told; this is for the log. */
  reportRefused: (error: Error) => void
}

/**
 * Answers one request over HTTP, in the version of 2026-07-28 or in one of 2025. Each gets a server of its own that is forgotten with the
 * response, so nothing of one caller can reach another, and any process of the service can answer.
 */
export function serveHttp({ request, body, desk, reportRefused, ...options }: HttpCall): Promise<Response> {
  const handler = createMcpHandler(() => buildServer({ ...options, openDesk: createDesk(desk) }), {
    onerror: reportRefused,
    // The server tells of no changes, so a subscription is confirmed as empty and its stream ends at once: none holds a connection.
    maxSubscriptions: 1,
  })
  return handler.fetch(request, { parsedBody: body })
}
