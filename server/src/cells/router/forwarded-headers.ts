import type { IncomingHttpHeaders } from 'node:http'
import { movedHeader, movedIdHeader } from '../../infra/http/errors/create-error-handler.ts'

type Headers = Record<string, string | string[]>

/** They describe one connection and end at each proxy (RFC 9110, 7.6.1). `expect` was answered when the request arrived. */
const hopByHop = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Where a request came from is what this router saw or what a trusted proxy told it, never what a client wrote. */
const clientClaims = /^(?:forwarded|x-forwarded-.*|x-real-ip|x-client-ip|cf-connecting-ip|true-client-ip)$/

type Client = { ip: string; protocol: string }

/** The headers of a request to a cell. The cell trusts the address in them if its CARILLON_TRUSTED_PROXIES names the router. */
export function requestHeaders(received: IncomingHttpHeaders, { ip, protocol }: Client): IncomingHttpHeaders {
  const kept = keepHeaders(received, (name) => clientClaims.test(name))
  return { ...kept, 'x-forwarded-for': ip, 'x-forwarded-proto': protocol }
}

/** The headers of an answer to the client. */
export function responseHeaders(received: IncomingHttpHeaders): Headers {
  return keepHeaders(received, (name) => name === movedHeader || name === movedIdHeader)
}

function keepHeaders(received: IncomingHttpHeaders, isDropped: (name: string) => boolean): Headers {
  const named = new Set((received.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const kept: Headers = {}
  for (const [name, value] of Object.entries(received))
    if (value !== undefined && !hopByHop.has(name) && !named.has(name) && !isDropped(name)) kept[name] = value
  return kept
}
