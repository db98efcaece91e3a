import type { Transport } from '@carillon/connectors'
import type { Context } from '../../../context.ts'
import { EgressError, type EgressErrorCode } from '../../../infra/egress/egress-error.ts'
import type { Destination } from '../../../infra/queue/run-detachable.ts'
import { connectorOf } from '../connector-of.ts'

/** After this many calls in a row without a usable answer, a server counts as down. */
const failuresMax = 30
/** While it is down, a few calls are let through this often, to find out whether it is back. */
const tryEveryMs = 10_000
const triesAtOnce = 3
/** What waits for a server that is down waits for about half as long as it has been down, within these bounds. */
const waitMsMin = 10_000
const waitMsMax = 300_000
/** Of the posts that wait for one server, one returns in this time, so that ten thousand cost no more than ten. */
const returnEveryMs = 20
/** Even with a million posts waiting, each of them is looked at this often. */
const queueMsMax = 1_800_000
/** Users can name any number of servers. */
const serversMax = 10_000

const awayCodes: ReadonlySet<EgressErrorCode> = new Set<EgressErrorCode>(['timeout', 'connect', 'network', 'tls'])

type Failing = {
  ref: ServerRef
  failures: number
  downSinceMs: number | null
  nextTryMs: number
  triesLeft: number
  lastReturnMs: number
}

function createServerHealth() {
  const failing = new Map<string, Failing>()
  let back: ServerRef[] = []
  const value = {
    recordAnswer(server: string) {
      const health = failing.get(server)
      if (!health) return
      failing.delete(server)
      if (health.downSinceMs !== null) back.push(health.ref)
    },
    takeBack(): ServerRef[] {
      const taken = back
      back = []
      return taken
    },
    recordFailure(server: string, ref: ServerRef, nowMs: number) {
      const health = failing.get(server) ?? { ref, failures: 0, downSinceMs: null, nextTryMs: 0, triesLeft: 0, lastReturnMs: 0 }
      health.failures++
      if (health.failures >= failuresMax && health.downSinceMs === null) {
        health.downSinceMs = nowMs
        health.nextTryMs = nowMs + tryEveryMs
      }
      failing.set(server, health)
      const [oldest] = failing.keys()
      if (failing.size > serversMax && oldest !== undefined) failing.delete(oldest)
    },
    waitMs(server: string, nowMs: number, isCalling: boolean): number {
      const health = failing.get(server)
      if (!health || health.downSinceMs === null) return 0
      if (!isCalling && (nowMs >= health.nextTryMs || health.triesLeft > 0)) return 0
      if (nowMs >= health.nextTryMs) Object.assign(health, { nextTryMs: nowMs + tryEveryMs, triesLeft: triesAtOnce })
      if (health.triesLeft > 0) {
        health.triesLeft--
        return 0
      }
      return varyWait(Math.min(Math.max((nowMs - health.downSinceMs) / 2, waitMsMin), waitMsMax))
    },
    queueMs(server: string, nowMs: number): number {
      const health = failing.get(server)
      if (!health) return 0
      health.lastReturnMs = Math.min(Math.max(health.lastReturnMs, nowMs) + returnEveryMs, nowMs + queueMsMax)
      return health.lastReturnMs - nowMs
    },
  }
  return { value }
}

/** Half to one and a half times the wait: what waits for a server is not all sent at once when it is back. */
function varyWait(waitMs: number): number {
  return Math.round(waitMs * (0.5 + Math.random()))
}

export type ServerRef = { platform: string; instanceUrl: string | null }

/** Where a connection's requests go. */
export function serverOf(ctx: Context, { platform, instanceUrl }: ServerRef): string {
  const connector = connectorOf(ctx, platform)
  const { platformOrigins, sandboxes } = ctx.config
  const sandbox = sandboxes.includes(platform) ? connector.sandboxOrigin : undefined
  const server = instanceUrl ?? platformOrigins[connector.manifest.platform] ?? sandbox ?? connector.origin
  if (!server) throw new Error(`a ${platform} connection has no server URL`)
  return server
}

/** Which slots calls to this server use. Two addresses on one host are one server: whoever owns the host can make any number of them. */
export function destinationOf({ platform, instanceUrl }: ServerRef): Destination {
  return instanceUrl === null ? { platform } : { chosenHost: new URL(instanceUrl).host }
}

/**
 * 0 if the server may be called now. Otherwise it is down, and this is how long to wait: sending thousands of posts to a server that does
 * not answer would delay the posts on all others, and each would have to be asked about afterwards. Some callers get 0 while it is down;
 * they find out whether it is back. Each process finds out on its own. `isCalling`: the server is called next if this is 0.
 */
export function serverWaitMs(ctx: Context, ref: ServerRef, { isCalling }: { isCalling: boolean }): number {
  return ctx.resources.get(createServerHealth, ctx).waitMs(serverOf(ctx, ref), ctx.nowMs(), isCalling)
}

/** How long one more post waits if posts return to this server one after the other. They are woken when the server is back. */
export function serverQueueMs(ctx: Context, ref: ServerRef): number {
  return ctx.resources.get(createServerHealth, ctx).queueMs(serverOf(ctx, ref), ctx.nowMs())
}

/** The servers that were down and have answered since the last call of this function. What waits for them need not wait any longer. */
export function takeServersBack(ctx: Context): ServerRef[] {
  return ctx.resources.get(createServerHealth, ctx).takeBack()
}

/** Notes of each request whether the server answered it. An answer that refuses the request is an answer too. */
export function watchServer(ctx: Context, ref: ServerRef, transport: Transport): Transport {
  const health = ctx.resources.get(createServerHealth, ctx)
  const server = serverOf(ctx, ref)
  return async (call) => {
    try {
      const reply = await transport(call)
      if (reply.status >= 500) health.recordFailure(server, ref, ctx.nowMs())
      else health.recordAnswer(server)
      return reply
    } catch (error) {
      if (isAway(error)) health.recordFailure(server, ref, ctx.nowMs())
      throw error
    }
  }
}

/** A request that we did not send, or an answer that we did not read, says nothing about the server. */
function isAway(error: unknown): boolean {
  if (error instanceof EgressError) return awayCodes.has(error.code)
  return error instanceof Error && error.cause !== undefined && isAway(error.cause)
}
