import type { ServerResponse } from 'node:http'
import type { Call } from '../http/call.ts'
import { createRouter } from '../http/create-router.ts'
import { json, Refusal, type Reply } from '../http/reply.ts'
import { send } from '../http/send.ts'
import type { Platform } from '../platform.ts'
import type { SimulatorState } from '../state/simulator-state.ts'
import { accountRoutes } from './accounts.routes.ts'
import { callRoutes } from './calls.routes.ts'
import type { ControlContext, ControlRoute } from './control-route.ts'
import { faultRoutes } from './faults.routes.ts'
import { figureRoutes } from './figures.routes.ts'
import { postRoutes } from './posts.routes.ts'
import { recordingRoutes, sendRecording } from './recording.routes.ts'
import { settingRoutes } from './settings.routes.ts'
import { submitRoutes } from './submits.routes.ts'

/** The HTTP interface with which tests and benchmarks control the simulator. It needs no sign-in: it is a test server on loopback. */
export function createControl(simulator: SimulatorState, platforms: readonly Platform[]) {
  const control: ControlContext = {
    simulator,
    platforms: new Map(platforms.map((platform) => [platform.context.name, platform])),
  }
  const match = createRouter([
    ...accountRoutes(control),
    ...faultRoutes(control),
    ...postRoutes(control),
    ...figureRoutes(control),
    ...callRoutes(control),
    ...submitRoutes(control),
    ...recordingRoutes(control),
    ...settingRoutes(control),
  ])

  return (call: Call, path: string, response: ServerResponse): void => {
    if (call.method === 'GET' && path === '/recording') {
      sendRecording(simulator, response)
      return
    }
    const found = match(call.method, path)
    if (!found) {
      send(response, json(404, { error: `no control route ${call.method} ${path}` }))
      return
    }
    call.params = found.params
    send(response, answer(found.route, call))
  }
}

function answer(route: ControlRoute, call: Call): Reply {
  try {
    return route.answer(call)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    console.error(error)
    return json(500, { error: String(error) })
  }
}
