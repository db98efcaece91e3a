import type { ServerResponse } from 'node:http'
import type { Call } from './http/call.ts'
import { Refusal, type Reply } from './http/reply.ts'
import { createRouter } from './http/create-router.ts'
import { send } from './http/send.ts'
import { performFault } from './perform-fault.ts'
import type { Platform, Route } from './platform.ts'
import type { Account } from './state/accounts.ts'
import type { Reading } from './state/limits.ts'
import type { Token } from './state/tokens.ts'

export type Serve = (call: Call, path: string, response: ServerResponse) => void

/** The way of every platform call: match, count, fault, admit, charge, answer. */
export function servePlatform(platform: Platform): Serve {
  const { realm } = platform
  const match = createRouter(platform.routes)

  return (call, path, response) => {
    const found = match(call.method, path)
    if (!found) {
      send(response, platform.failure(404))
      return
    }
    const { route } = found
    call.params = found.params
    const sent = platform.tokenOf(call)
    const token = realm.tokens.find(sent)
    const operation = typeof route.operation === 'function' ? route.operation(call) : route.operation
    realm.world.calls.count(realm.name, operation, call.arrivedAtMs)

    const answer = () => answerRoute(platform, { route, call, token, sent })
    const faults = realm.world.faults
    const handle = faults.isEmpty ? undefined : whose(route, call, token)?.handle
    const fault = faults.isEmpty ? undefined : faults.draw({ platform: realm.name, handle, operation })
    const respond = () => {
      if (!fault) send(response, answer())
      else performFault(fault, { platform, response, answer }).catch(() => response.destroy())
    }
    if (realm.latencyMs > 0) setTimeout(respond, realm.latencyMs)
    else respond()
  }
}

function whose(route: Route, call: Call, token: Token | undefined): Account | undefined {
  return token?.account ?? ('open' in route ? route.whose?.(call) : undefined)
}

type Visit = { route: Route; call: Call; token: Token | undefined; sent: string | undefined }

function answerRoute(platform: Platform, { route, call, token, sent }: Visit): Reply {
  let reading: Reading | undefined
  try {
    const admitted = 'open' in route ? undefined : platform.admit(token, { scope: route.scope, sent })
    reading = charge(platform, route, admitted?.account ?? whose(route, call, token))
    const reply = 'open' in route ? route.answer(call) : answerSession(route, call, admitted)
    return withRate(platform, reply, reading)
  } catch (error) {
    if (error instanceof Refusal) return withRate(platform, error.reply, reading)
    console.error(error)
    return platform.failure(500)
  }
}

function answerSession(route: Exclude<Route, { open: true }>, call: Call, token: Token | undefined): Reply {
  if (!token) throw new Error('a route with a session was reached without one')
  return route.handle(call, { account: token.account, token })
}

/** All charges are taken; the first is reported, or the one that is exceeded. */
function charge(platform: Platform, route: Route, account: Account | undefined): Reading | undefined {
  const { limits } = platform.realm
  if (!limits.enabled || !route.charges) return undefined
  let first: Reading | undefined
  for (const one of route.charges) {
    const reading = limits.charge(account, one, platform.realm.now())
    if (reading?.exceeded === true) throw new Refusal(withRate(platform, platform.failure(429), reading))
    first ??= reading
  }
  return first
}

function withRate(platform: Platform, reply: Reply, reading: Reading | undefined): Reply {
  if (reading) Object.assign(reply.headers, platform.rateHeaders(reading))
  return reply
}
