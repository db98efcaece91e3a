import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { clientNetwork } from '../rate-limit/client-network.ts'
import { type RateLimitState, createRateLimiter, refuseExceeded } from '../rate-limit/create-rate-limiter.ts'
import type { Caller, HttpHooks } from './http-hooks.ts'

declare module 'fastify' {
  // Only an interface can be extended.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** The limit that is closest to being reached, for the headers of the answer. */
    rateLimit?: RateLimitState
  }
}

export type RequestLimits = {
  /** Counts a request by its address, unless it comes with a key or a session that was valid before. */
  countUnknown(request: FastifyRequest): Promise<void> | void
  /** Recognises the caller and counts the request by key and workspace. A caller who is not recognised is counted by address only. */
  findCaller: HttpHooks['findCaller']
}

const knownMs = 60 * 60_000
const knownMax = 50_000

/**
 * The limits of requests. What a request only claims is never counted: a stranger who sends the id of a workspace does not use up its
 * limit, and no made-up key gets a limit of its own. Keys and sessions that were valid in the last hour are not counted by address, so
 * that a stranger in the same network does not lock them out.
 */
export function createRequestLimits(ctx: Context, hooks: HttpHooks): RequestLimits {
  const { requestsPerMinute } = ctx.config
  const byAddress = createRateLimiter(ctx, 'address', requestsPerMinute)
  const byKey = createRateLimiter(ctx, 'key', requestsPerMinute)
  const byWorkspace = createRateLimiter(ctx, 'workspace', requestsPerMinute * 2)
  const known = createKnownCallers()

  const countCaller = async (request: FastifyRequest, caller: Caller, workspaceId: string | null): Promise<void> => {
    const byCaller = byKey.count(caller.apiKeyId ?? `person ${caller.personId}`)
    // Awaited only if the database must be asked, because this runs for every request.
    const key = byCaller instanceof Promise ? await byCaller : byCaller
    request.rateLimit = key
    refuseExceeded(key)
    if (workspaceId === null || !mayUse(caller, workspaceId)) return
    const counted = byWorkspace.count(workspaceId)
    const workspace = counted instanceof Promise ? await counted : counted
    if (workspace.remaining < key.remaining || workspace.exceeded) request.rateLimit = workspace
    refuseExceeded(workspace)
  }

  return {
    countUnknown(request) {
      // A balancer that asks too often would otherwise take this process for dead.
      if (request.url.startsWith('/health/')) return
      const network = clientNetwork(request.ip)
      if (known.has(hooks.claimedIdentity(request), ctx.nowMs())) {
        request.rateLimit = byAddress.peek(network)
        return
      }
      const counted = byAddress.count(network)
      const check = (state: RateLimitState) => {
        request.rateLimit = state
        refuseExceeded(state)
      }
      return counted instanceof Promise ? counted.then(check) : check(counted)
    },
    async findCaller(request, workspaceId) {
      const claimed = hooks.claimedIdentity(request)
      try {
        const caller = await hooks.findCaller(request, workspaceId)
        known.add(claimed, ctx.nowMs() + knownMs)
        await countCaller(request, caller, workspaceId)
        return caller
      } catch (error) {
        if (isUnauthenticated(error)) known.remove(claimed)
        throw error
      }
    },
  }
}

function mayUse({ membership, workspaceOnly, keyWorkspaceId }: Caller, workspaceId: string): boolean {
  return membership !== null && (!workspaceOnly || keyWorkspaceId === workspaceId)
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 401
}

/** Keys and sessions that were valid. Only valid ones are added, so made-up ones cannot displace them. */
function createKnownCallers() {
  const untilMs = new Map<string, number>()
  return {
    has: (claimed: string | null, nowMs: number) => claimed !== null && (untilMs.get(claimed) ?? 0) > nowMs,
    add(claimed: string | null, endMs: number) {
      if (claimed === null) return
      const [oldest] = untilMs.keys()
      if (untilMs.size >= knownMax && oldest !== undefined && !untilMs.has(claimed)) untilMs.delete(oldest)
      untilMs.set(claimed, endMs)
    },
    remove(claimed: string | null) {
      if (claimed !== null) untilMs.delete(claimed)
    },
  }
}
