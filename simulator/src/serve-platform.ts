import type { ServerResponse } from 'node:http'
import type { Call } from './http/call.ts'
import { createRouter } from './http/create-router.ts'
import { Refusal, type Reply } from './http/reply.ts'
import { send } from './http/send.ts'
import { performFault } from './perform-fault.ts'
import type { Platform, Route } from './platform.ts'
import type { Account } from './state/entities.ts'
import type { LimitStatus } from './state/limits.ts'
import type { Token } from './state/tokens.ts'

export type PlatformHandler = (call: Call, path: string, response: ServerResponse) => void

/** Handles a call to a platform: match the route, count the call, apply a fault, check the token, charge the limits, answer. */
export function servePlatform(platform: Platform): PlatformHandler {
  const { context } = platform
  const match = createRouter(platform.routes)

  return (call, path, response) => {
    const found = match(call.method, path)
    if (!found) {
      send(response, platform.failure(404))
      return
    }
    const { route } = found
    call.params = found.params
    const sentToken = platform.tokenOf(call)
    const token = context.tokens.find(sentToken)
    const operation = typeof route.operation === 'function' ? route.operation(call) : route.operation
    context.simulator.calls.count(context.name, operation, call.arrivedAtMs)

    const answer = () => answerRoute(platform, { route, call, token, sentToken })
    const faults = context.simulator.faults
    const handle = faults.isEmpty ? undefined : findCaller(route, call, token)?.handle
    const fault = faults.isEmpty ? undefined : faults.take({ platform: context.name, handle, operation })
    const respond = () => {
      if (!fault) send(response, answer())
      else performFault(fault, { platform, response, answer }).catch(() => response.destroy())
    }
    if (context.latencyMs > 0) setTimeout(respond, context.latencyMs)
    else respond()
  }
}

function findCaller(route: Route, call: Call, token: Token | undefined): Account | undefined {
  return token?.account ?? ('open' in route ? route.findAccount?.(call) : undefined)
}

type RouteCall = { route: Route; call: Call; token: Token | undefined; sentToken: string | undefined }

function answerRoute(platform: Platform, { route, call, token, sentToken }: RouteCall): Reply {
  let limitStatus: LimitStatus | undefined
  try {
    const checked = 'open' in route ? undefined : platform.checkToken(token, { scope: route.scope, sentToken })
    limitStatus = charge(platform, route, checked?.account ?? findCaller(route, call, token))
    const reply = 'open' in route ? route.answer(call) : answerSession(route, call, checked)
    return withRate(platform, reply, limitStatus)
  } catch (error) {
    if (error instanceof Refusal) return withRate(platform, error.reply, limitStatus)
    console.error(error)
    return platform.failure(500)
  }
}

function answerSession(route: Exclude<Route, { open: true }>, call: Call, token: Token | undefined): Reply {
  if (!token) throw new Error('a route that needs a session was called without one')
  return route.handle(call, { account: token.account, token })
}

/** Charges every limit of the route. Reports the first one, or the one that is exceeded. */
function charge(platform: Platform, route: Route, account: Account | undefined): LimitStatus | undefined {
  const { limits } = platform.context
  if (!limits.enabled || !route.charges) return undefined
  let first: LimitStatus | undefined
  for (const one of route.charges) {
    const limitStatus = limits.charge(account, one, platform.context.now())
    if (limitStatus?.exceeded === true) throw new Refusal(withRate(platform, platform.failure(429), limitStatus))
    first ??= limitStatus
  }
  return first
}

function withRate(platform: Platform, reply: Reply, limitStatus: LimitStatus | undefined): Reply {
  if (limitStatus) Object.assign(reply.headers, platform.rateHeaders(limitStatus))
  return reply
}
