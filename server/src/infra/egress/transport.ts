import { NotConnected } from '@carillon/connectors/kit'
import type { Transport } from '@carillon/connectors/kit'
import { Agent } from 'undici'
import type { Allow } from './address.ts'
import { EgressError } from './egress-error.ts'
import { converseGuarded } from './converse-guarded.ts'
import { exchange } from './exchange.ts'
import type { Answer } from './exchange.ts'
import { type Lookup, checkUrl, createLookup } from './guard-url.ts'
import { guardedConnector } from './guarded-connector.ts'

export type TransportOptions = {
  allow: Allow
  /** Sockets to one origin; further calls wait for a free one. */
  connectionsMax: number
  connectTimeoutMs?: number
  lookup?: Lookup
  ca?: string
}

export type ClosableTransport = Transport & { close(): Promise<void> }

/** How connectors reach their platforms: the same guard, and sockets kept open because thousands of calls come in the same second. */
export function createTransport(options: TransportOptions): ClosableTransport {
  const { allow, connectionsMax, connectTimeoutMs = 5_000, lookup = createLookup(), ca } = options
  const connect = guardedConnector({ allow, lookup, connectTimeoutMs, plainOutside: false, ca })
  const agent = new Agent({
    connect,
    allowH2: false,
    connections: connectionsMax,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  const send: Transport = async ({ method, url: raw, headers, body, timeoutMs, beforeWrite, conversation }) => {
    // An access token goes along, so plain HTTP is for opened networks only; the connector sees to names among those.
    const verdict = checkUrl(raw, { https: allow.length === 0, allow })
    if (!verdict.ok) throw new NotConnected(verdict.reason)
    if (conversation) return converseGuarded(connect, { url: verdict.url, headers, conversation, timeoutMs, beforeWrite })
    try {
      const answer = await exchange(agent, { method, url: verdict.url, headers, body, timeoutMs, beforeWrite })
      return { status: answer.status, headers: answer.headers, text: (bytesMax) => readText(answer, bytesMax) }
    } catch (error) {
      if (error instanceof EgressError && !error.sent) throw new NotConnected(error.message, { cause: error })
      throw error
    }
  }
  return Object.assign(send, { close: () => agent.close() })
}

async function readText(answer: Answer, bytesMax: number): Promise<string> {
  const { body } = await answer.read({ bytesMax, overflow: 'reject' })
  return body.toString('utf8')
}
