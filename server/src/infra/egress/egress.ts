import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent } from 'undici'
import type { Allow } from './address.ts'
import { EgressError } from './egress-error.ts'
import { exchange, type Answer } from './exchange.ts'
import { type Lookup, type UrlVerdict, checkDestination, checkUrl, createLookup, hostOf, resolveHost } from './guard-url.ts'
import { guardedConnector } from './guarded-connector.ts'

export type EgressRequest = {
  method: string
  url: string
  headers?: Record<string, string>
  body?: string | Uint8Array | null
  /** For everything, redirects included. */
  timeoutMs: number
  bytesMax: number
  /** What happens to a body that is too large or too slow: keep its beginning, or fail. Default `reject`. */
  overflow?: 'cut' | 'reject'
  https: boolean
  /** How many redirects to follow, each checked like the first URL; default none, and the redirect itself is the answer. */
  redirects?: 0 | 1 | 2 | 3
}

export type EgressReply = {
  status: number
  headers: Record<string, string>
  /** As it came over the wire: nothing is decompressed, so nothing can swell. */
  body: Buffer
  truncated: boolean
  /** Where the answer came from, after redirects. */
  url: string
}

/** An answer whose body has not been read yet. Whoever opened it reads it to the end or destroys it. */
type EgressStream = Omit<EgressReply, 'body' | 'truncated'> & { body: Readable }

/** The one way to a URL that a user chose. */
export type Egress = {
  request(request: EgressRequest): Promise<EgressReply>
  /** The same for what is too large to hold: the body comes as a stream, and ends in an error past `bytesMax`. */
  open(request: Omit<EgressRequest, 'overflow'>): Promise<EgressStream>
  /** May this URL be stored? */
  checkUrl(raw: string, rules: { https: boolean }): Promise<UrlVerdict>
  close(): Promise<void>
}

export type EgressOptions = { allow: Allow; connectTimeoutMs?: number; lookup?: Lookup; ca?: string }

const redirectStatuses = new Set([301, 302, 303, 307, 308])

const lookupMsMax = 3_000

type Rules = { https: boolean; allow: Allow; lookup: Lookup }

export function createEgress({ allow, connectTimeoutMs = 5_000, lookup = createLookup(), ca }: EgressOptions): Egress {
  const connect = guardedConnector({ allow, lookup, connectTimeoutMs, plainOutside: true, ca })
  // One time limit covers the whole exchange, so undici's own per-phase ones are off.
  const agent = new Agent({ connect, allowH2: false, connections: 32, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })

  const send = async (request: EgressRequest): Promise<{ answer: Answer; url: URL }> => {
    const endsAtMs = performance.now() + request.timeoutMs
    let hop: Hop = { method: request.method, url: request.url, headers: request.headers ?? {}, body: request.body ?? null }
    for (let left = request.redirects ?? 0; ; left--) {
      const url = checked(hop.url, request.https, allow)
      const headers = { 'accept-encoding': 'identity', ...lowercased(hop.headers) }
      const timeoutMs = Math.max(1, endsAtMs - performance.now())
      const answer = await exchange(agent, { method: hop.method, url, headers, body: hop.body, timeoutMs })
      const location = redirectStatuses.has(answer.status) ? answer.headers['location'] : undefined
      if (location === undefined || !request.redirects) return { answer, url }
      answer.drop()
      if (left === 0) throw new EgressError('network', `More than ${request.redirects} redirects.`, { sent: true })
      hop = follow(hop, url, { status: answer.status, location })
    }
  }

  return {
    async request(request) {
      const { answer, url } = await send(request)
      return readReply(answer, url, request)
    },
    async open(request) {
      const { answer, url } = await send(request)
      return { status: answer.status, headers: answer.headers, url: url.href, body: answer.stream(request) }
    },
    checkUrl: (raw, { https }) => checkSavedUrl(raw, { https, allow, lookup }),
    // Every exchange has its time limit, so waiting for those under way ends.
    close: () => agent.close(),
  }
}

type Hop = { method: string; url: string; headers: Record<string, string>; body: string | Uint8Array | null }

function checked(raw: string, https: boolean, allow: Allow): URL {
  const verdict = checkUrl(raw, { https, allow })
  if (!verdict.ok) throw new EgressError(verdict.code, verdict.reason, { sent: false })
  return verdict.url
}

async function readReply(answer: Answer, url: URL, { bytesMax, overflow = 'reject' }: EgressRequest): Promise<EgressReply> {
  const { body, truncated } = await answer.read({ bytesMax, overflow })
  return { status: answer.status, headers: answer.headers, body, truncated, url: url.href }
}

function follow(hop: Hop, from: URL, { status, location }: { status: number; location: string }): Hop {
  const to = URL.parse(location, from)
  if (to === null) throw new EgressError('bad_url', 'The host redirects to a URL that cannot be read.', { sent: true })
  const headers = lowercased(hop.headers)
  if (to.origin !== from.origin) {
    delete headers['authorization']
    delete headers['cookie']
  }
  const keepsMethod = status === 307 || status === 308 || hop.method === 'GET' || hop.method === 'HEAD'
  if (keepsMethod) return { ...hop, url: to.href, headers }
  delete headers['content-type']
  delete headers['content-length']
  return { method: 'GET', url: to.href, headers, body: null }
}

function lowercased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/**
 * May this URL be stored? A name that does not resolve today may tomorrow, so it is accepted: each send checks again, and there a name
 * without an answer goes nowhere.
 */
export async function checkSavedUrl(raw: string, { https, allow, lookup }: Rules): Promise<UrlVerdict> {
  const verdict = checkUrl(raw, { https, allow })
  if (!verdict.ok) return verdict
  const addresses = await withinTime(resolveHost(hostOf(verdict.url), lookup).catch(() => []))
  if (addresses.length === 0) return verdict
  return checkDestination(verdict.url, addresses, allow) ?? verdict
}

async function withinTime(scope: Promise<readonly string[]>): Promise<readonly string[]> {
  const stop = new AbortController()
  const late = sleep(lookupMsMax, [], { signal: stop.signal, ref: false }).catch(() => [])
  try {
    return await Promise.race([scope, late])
  } finally {
    stop.abort()
  }
}
