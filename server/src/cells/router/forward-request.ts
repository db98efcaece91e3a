import type { IncomingHttpHeaders } from 'node:http'
import type { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Dispatcher, Pool } from 'undici'
import { cellOf } from '../../infra/db/ids.ts'
import { movedHeader, movedIdHeader } from '../../infra/http/errors/create-error-handler.ts'
import { passOn } from '../../infra/http/pass-on.ts'
import { statusClass } from '../../infra/metrics/get-metrics.ts'
import { Problem, problem } from '../../infra/problem/problem.ts'
import type { CellChoice } from './cell-choice.ts'
import { cellCookie, cellToRemember, chooseCell } from './choose-cell.ts'
import { rememberMove, type Router } from './router.ts'

/** Most requests of the API are smaller; files are larger. */
const keptBytesMax = 64 * 1024

/** The codes of errors that can only happen before a connection is open. */
const connectFailures = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** A workspace may have moved on while a request follows it. */
const movesMax = 2

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

/** Sends a request to its cell and streams the answer back. Throws a problem if no cell answers it. */
export async function forwardRequest(router: Router, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const startedMs = performance.now()
  const url = request.raw.url ?? ''
  // A request for a proxy names another host here, and this is no such proxy.
  if (!url.startsWith('/')) throw problem('bad_request')
  // Chosen by what the cell receives: a client can make a router drop a header.
  const headers = requestHeaders(request.headers, { ip: request.ip, protocol: request.protocol })
  const choice = chooseCell({ headers, url }, { ...router.config, moved: router.moved })
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  try {
    const answered = await askCells(router, request, { choice, headers, signal: gone.signal })
    reply.hijack()
    await sendAnswer(router, { request, reply, headers, startedMs, ...answered })
  } catch (error) {
    // The client has left, so there is nobody to answer.
    if (gone.signal.aborted) return void reply.hijack()
    if (error instanceof Problem) countFailure(router, choice.cell, error.code)
    throw error
  }
}

type Asked = { choice: CellChoice; headers: IncomingHttpHeaders; signal: AbortSignal }
type Answered = { choice: CellChoice; response: Dispatcher.ResponseData }

/**
 * Asks the cell, and follows a workspace that has moved. A body that was streamed cannot be sent twice, so the client repeats it. Only a
 * workspace that the cell names is stored, and only under the id by which this request was sent there: what one request causes must not
 * lead the requests of another workspace astray.
 */
async function askCells(router: Router, request: FastifyRequest, { choice, headers, signal }: Asked): Promise<Answered> {
  const kept = await keepSmallBody(request)
  const isStreamed = kept === null && sendsBody(request.headers)
  let current = choice
  let isStored = choice.id !== null && router.moved.has(choice.id)
  for (let moves = 0; ; moves++) {
    const pool = router.pools.get(current.cell)
    if (!pool) throw problem('cell_unknown')
    const body = isStreamed ? passOn(request.raw) : kept
    const response = await askCell(pool, request, { body, headers, signal })
    const movedTo = readMove(response)
    if (isStored && current.id !== null && (response.statusCode === 401 || response.statusCode === 404)) {
      // What was stored may be wrong by now, so the cell in the id is asked once.
      router.moved.delete(current.id)
      if (isStreamed) return { choice: current, response }
      await response.body.dump()
      isStored = false
      current = { ...current, cell: cellOf(current.id) }
      continue
    }
    if (movedTo === null) return { choice: current, response }
    router.metrics.moves.inc({ cell: String(current.cell) })
    await response.body.dump()
    if (current.id !== null && response.headers[movedIdHeader] === `${current.id}=${movedTo}`)
      rememberMove(router, current.id, movedTo)
    if (isStreamed || moves >= movesMax) throw problem('workspace_moving', { retryAfterSeconds: 1 })
    current = { ...current, cell: movedTo }
  }
}

type Asking = { body: Buffer | PassThrough | null; headers: IncomingHttpHeaders; signal: AbortSignal }

async function askCell(pool: Pool, request: FastifyRequest, { body, headers, signal }: Asking): Promise<Dispatcher.ResponseData> {
  const { raw, method } = request
  try {
    return await pool.request({
      method,
      // The path as it was received. It is not resolved against an address, so it cannot name another host.
      path: raw.url ?? '/',
      headers,
      body,
      signal,
    })
  } catch (error) {
    if (signal.aborted) throw error
    throw problem(isNotConnected(error) ? 'cell_unreachable' : 'cell_no_answer', { cause: error, retryAfterSeconds: 5 })
  }
}

function sendsBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** A small body is read completely, so that it can be sent to another cell too. Null for a large one, or one of unknown length. */
async function keepSmallBody({ raw, headers }: FastifyRequest): Promise<Buffer | null> {
  const bytes = Number(headers['content-length'] ?? 0)
  if (headers['transfer-encoding'] !== undefined || bytes === 0 || bytes > keptBytesMax) return null
  return buffer(raw)
}

/** Nothing was sent: the request can be repeated without doing anything twice. */
function isNotConnected(error: unknown): boolean {
  const { code = '', syscall = '' } = error as { code?: string; syscall?: string }
  return connectFailures.has(code) || syscall === 'connect'
}

function readMove({ statusCode, headers }: Dispatcher.ResponseData): number | null {
  const cell = headers[movedHeader]
  return statusCode === 421 && typeof cell === 'string' && /^\d{1,4}$/.test(cell) ? Number(cell) : null
}

type Sent = Answered & { request: FastifyRequest; reply: FastifyReply; headers: IncomingHttpHeaders; startedMs: number }

async function sendAnswer(router: Router, { request, reply, headers: sent, choice, response, startedMs }: Sent): Promise<void> {
  const { config, metrics, streams } = router
  const { statusCode: status, body } = response
  const headers = responseHeaders(response.headers)
  const cookiesSet = [headers['set-cookie'] ?? []].flat()
  const remembered = cellToRemember(config, { choice, headers: sent, status, cookiesSet })
  if (remembered !== null) headers['set-cookie'] = [...cookiesSet, cellCookie(config, choice.cell, remembered)]
  const isStream = String(headers['content-type'] ?? '').startsWith('text/event-stream')
  if (isStream) {
    streams.add(reply.raw)
    reply.raw.once('close', () => streams.delete(reply.raw))
  }
  try {
    reply.raw.writeHead(status, headers)
    // A page waits for the headers of its stream, and the first event may be minutes away.
    if (isStream) reply.raw.flushHeaders()
    await pipeline(body, reply.raw)
  } catch (error) {
    // The status is already sent. Closing the connection tells the client that the answer is not complete.
    reply.raw.destroy()
    request.log.info({ cell: choice.cell, err: error, traceId: request.id }, 'an answer was cut off')
  }
  if (!isStream)
    metrics.requests.observe({ cell: String(choice.cell), status: statusClass(status) }, (performance.now() - startedMs) / 1000)
}

function countFailure({ metrics, pools }: Router, cell: number, code: string): void {
  metrics.failures.inc({ cell: pools.has(cell) ? String(cell) : 'none', code })
}

/** The headers of a request to a cell. The cell trusts the address in them if its CARILLON_TRUSTED_PROXIES names the router. */
function requestHeaders(received: IncomingHttpHeaders, { ip, protocol }: Client): IncomingHttpHeaders {
  const kept = keepHeaders(received, (name) => clientClaims.test(name))
  return { ...kept, 'x-forwarded-for': ip, 'x-forwarded-proto': protocol }
}

/** The headers of an answer to the client. */
function responseHeaders(received: IncomingHttpHeaders): Headers {
  return keepHeaders(received, (name) => name === movedHeader || name === movedIdHeader)
}

function keepHeaders(received: IncomingHttpHeaders, isDropped: (name: string) => boolean): Headers {
  const named = new Set((received.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const kept: Headers = {}
  for (const [name, value] of Object.entries(received))
    if (value !== undefined && !hopByHop.has(name) && !named.has(name) && !isDropped(name)) kept[name] = value
  return kept
}
