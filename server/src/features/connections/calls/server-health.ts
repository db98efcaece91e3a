import type { Transport } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { EgressError, type EgressErrorCode } from '../../../infra/egress/egress-error.ts'
import { connectorOf } from '../connector-of.ts'

/** After this many calls in a row without a usable answer, a server counts as down. */
const failuresMax = 30
/** While it is down, a few calls are let through this often, to find out whether it is back. */
const tryEveryMs = 10_000
const triesAtOnce = 3
/** What waits for a server that is down waits for half as long as it has been down, within these bounds. */
const waitMsMin = 10_000
const waitMsMax = 300_000
/** Users can name any number of servers. */
const serversMax = 10_000

const awayCodes: ReadonlySet<EgressErrorCode> = new Set<EgressErrorCode>(['timeout', 'connect', 'network', 'tls'])

type Failing = { failures: number; downSinceMs: number | null; nextTryMs: number; triesLeft: number }

function createServerHealth() {
  const failing = new Map<string, Failing>()
  const value = {
    recordAnswer: (server: string) => void failing.delete(server),
    recordFailure(server: string, nowMs: number) {
      const health = failing.get(server) ?? { failures: 0, downSinceMs: null, nextTryMs: 0, triesLeft: 0 }
      health.failures++
      if (health.failures >= failuresMax && health.downSinceMs === null) {
        health.downSinceMs = nowMs
        health.nextTryMs = nowMs + tryEveryMs
      }
      failing.set(server, health)
      const [oldest] = failing.keys()
      if (failing.size > serversMax && oldest !== undefined) failing.delete(oldest)
    },
    waitMs(server: string, nowMs: number): number {
      const health = failing.get(server)
      if (!health || health.downSinceMs === null) return 0
      if (nowMs >= health.nextTryMs) Object.assign(health, { nextTryMs: nowMs + tryEveryMs, triesLeft: triesAtOnce })
      if (health.triesLeft > 0) {
        health.triesLeft--
        return 0
      }
      return Math.min(Math.max((nowMs - health.downSinceMs) / 2, waitMsMin), waitMsMax)
    },
  }
  return { value }
}

type ServerRef = { platform: string; instanceUrl: string | null }

/** Where a connection's requests go. */
export function serverOf(ctx: Context, { platform, instanceUrl }: ServerRef): string {
  const connector = connectorOf(ctx, platform)
  const server = instanceUrl ?? ctx.config.platformOrigins[connector.manifest.platform] ?? connector.origin
  if (!server) throw new Error(`a ${platform} connection has no server URL`)
  return server
}

/**
 * 0 if the server may be called now. Otherwise it is down, and this is how long to wait: sending thousands of posts to a server that does
 * not answer would delay the posts on all others, and each would have to be asked about afterwards. Some callers get 0 while it is down;
 * they find out whether it is back. Each process finds out on its own.
 */
export function serverWaitMs(ctx: Context, { platform, instanceUrl }: ServerRef): number {
  return ctx.resources.get(createServerHealth, ctx).waitMs(serverOf(ctx, { platform, instanceUrl }), ctx.nowMs())
}

/** Half to one and a half times the wait: what waits for a server is not all sent at once when it is back. */
export function varyServerWait(waitMs: number): number {
  return Math.round(waitMs * (0.5 + Math.random()))
}

/** Notes of each request whether the server answered it. An answer that refuses the request is an answer too. */
export function watchServer(ctx: Context, server: string, transport: Transport): Transport {
  const health = ctx.resources.get(createServerHealth, ctx)
  return async (call) => {
    try {
      const reply = await transport(call)
      if (reply.status >= 500) health.recordFailure(server, ctx.nowMs())
      else health.recordAnswer(server)
      return reply
    } catch (error) {
      if (isAway(error)) health.recordFailure(server, ctx.nowMs())
      throw error
    }
  }
}

/** A request that we did not send, or an answer that we did not read, says nothing about the server. */
function isAway(error: unknown): boolean {
  if (error instanceof EgressError) return awayCodes.has(error.code)
  return error instanceof Error && error.cause !== undefined && isAway(error.cause)
}
