import type { ServerResponse } from 'node:http'
import type { Call } from './http/call.ts'
import { createRouter } from './http/create-router.ts'
import { html, Refusal, type Reply } from './http/reply.ts'
import { send } from './http/send.ts'
import { performFault } from './perform-fault.ts'
import type { Platform, Route } from './platform.ts'
import type { Operation } from './state/call-counts.ts'
import type { Account } from './state/entities.ts'
import type { PlainFault } from './state/faults.ts'
import type { LimitStatus } from './state/limits.ts'
import type { Submit } from './state/submits.ts'
import type { Token } from './state/tokens.ts'

export type PlatformHandler = (call: Call, path: string, response: ServerResponse) => void

/** Handles a call to a platform: match the route, count and record the call, apply a fault, check the token, charge the limits, answer. */
export function servePlatform(platform: Platform): PlatformHandler {
  const { context } = platform
  const match = createRouter(platform.routes)

  return (call, path, response) => {
    const found = match(call.method, path)
    if (!found) {
      send(response, platform.failure(404))
      return
    }
    if (!call.headers['user-agent']) {
      send(response, refuseNameless())
      return
    }
    const { route } = found
    call.params = found.params
    const sentToken = platform.tokenOf(call)
    const token = context.tokens.find(sentToken)
    const operation = typeof route.operation === 'function' ? route.operation(call) : route.operation
    context.simulator.calls.count({
      platform: context.name,
      account: findCaller(route, call, token)?.handle ?? null,
      operation,
      atMs: call.arrivedAtMs,
    })

    call.submit = recordSubmit(platform, { route, call, token })

    const answer = () => {
      const reply = answerRoute(platform, { route, call, token, sentToken })
      if (call.submit) settleSubmit(call.submit, reply)
      // A late answer can find that the caller has disconnected.
      if (call.submit && response.destroyed) markUnseen(call.submit)
      return reply
    }
    const answerUnseen = () => {
      answer()
      if (call.submit) markUnseen(call.submit)
    }
    const fault = takeFault(platform, { route, call, token, operation })
    if (call.submit) watchSubmit(call.submit, response, fault)
    const respond = () => {
      if (!fault) send(response, answer())
      else performFault(fault, { platform, response, answer, answerUnseen }).catch(() => response.destroy())
    }
    if (context.settings.latencyMs > 0) setTimeout(respond, context.settings.latencyMs)
    else respond()
  }
}

/**
 * Requests that name no program do not reach the platform: filters against bots answer 403 (github.com/halcy/Mastodon.py issue 213), and
 * GoToSocial 418 (github.com/glacasa/Mastonet issue 134).
 */
const refuseNameless = () => html(403, '<!doctype html><title>Access denied</title>')

/** Records the call before a fault, a limit or a duplicate check decides about it. */
function recordSubmit(
  platform: Platform,
  { route, call, token }: Pick<RouteCall, 'route' | 'call' | 'token'>,
): Submit | undefined {
  const request = route.readSubmit?.(call)
  if (!request) return undefined
  const { name, simulator } = platform.context
  const account = findCaller(route, call, token)?.handle
  return simulator.submits.add(request, { platform: name, account, atMs: call.arrivedAtMs, host: call.headers.host })
}

function settleSubmit(submit: Submit, { status, isRefused = false }: Reply): void {
  if (status >= 400 || isRefused) submit.outcome = 'refused'
  else if (submit.outcome !== 'repeated') submit.outcome = 'created'
}

function markUnseen(submit: Submit): void {
  if (submit.outcome === 'created') submit.outcome = 'dropped_after'
}

/** A caller that disconnects before the whole answer is sent does not know the outcome either. */
function watchSubmit(submit: Submit, response: ServerResponse, fault: PlainFault | undefined): void {
  submit.fault = fault?.kind ?? null
  submit.faultStatus = fault?.kind === 'status' ? fault.status : null
  response.once('finish', () => {
    submit.answeredAtMs = Date.now()
  })
  response.once('close', () => {
    if (!response.writableFinished) markUnseen(submit)
  })
}

type FaultyCall = Pick<RouteCall, 'route' | 'call' | 'token'> & { operation: Operation }

function takeFault({ context }: Platform, { route, call, token, operation }: FaultyCall): PlainFault | undefined {
  const { faults } = context.simulator
  if (faults.isEmpty) return undefined
  const account = findCaller(route, call, token)
  return faults.take({ platform: context.name, account, operation, path: call.path, nowMs: context.now() })
}

function findCaller(route: Route, call: Call, token: Token | undefined): Account | undefined {
  return token?.account ?? ('open' in route ? route.findAccount?.(call) : undefined)
}

function scopeOf({ scope }: Extract<Route, { handle: unknown }>, call: Call): string | undefined {
  return typeof scope === 'function' ? scope(call) : scope
}

type RouteCall = { route: Route; call: Call; token: Token | undefined; sentToken: string | undefined }

function answerRoute(platform: Platform, { route, call, token, sentToken }: RouteCall): Reply {
  let limitStatus: LimitStatus | undefined
  try {
    const checked = 'open' in route ? undefined : platform.checkToken(token, { scope: scopeOf(route, call), sentToken })
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
