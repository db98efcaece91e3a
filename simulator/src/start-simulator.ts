import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createControl } from './control/create-control.ts'
import { Call } from './http/call.ts'
import { readBody } from './http/read-body.ts'
import { json } from './http/reply.ts'
import { send } from './http/send.ts'
import { createPages } from './page/create-pages.ts'
import type { Platform } from './platform.ts'
import { platformFactories } from './platforms/platform-factories.ts'
import { servePlatform, type Serve } from './serve-platform.ts'
import { World } from './state/simulator-state.ts'

export type SimulatorOptions = {
  /** 0, the default, takes a free port. */
  port?: number
  host?: string
  /** The address browsers reach it by, when that is not the address it listens on. */
  publicUrl?: string
}

export type Simulator = { url: string; port: number; close: () => Promise<void> }

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const world = new World()
  const platforms = platformFactories.map((factory) => factory.create(world))
  const server = createServer(listener(world, platforms))
  // Connectors keep their connections for longer than Node's five seconds; a closing race would look like a dropped reply.
  server.keepAliveTimeout = 65_000

  const host = options.host ?? '127.0.0.1'
  const port = await listen(server, options.port ?? 0, host)
  const url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  world.url = options.publicUrl ?? url
  return { url, port, close: () => close(server) }
}

function listener(world: World, platforms: readonly Platform[]) {
  const serves = new Map<string, Serve>()
  for (const platform of platforms) serves.set(platform.realm.name, servePlatform(platform))
  const pages = createPages(world, platforms)
  const control = createControl(world, platforms)

  return (request: IncomingMessage, response: ServerResponse) => {
    const arrivedAtMs = Date.now()
    readBody(request, (body) => {
      const { method = 'GET', url: target = '/', headers } = request
      const call = new Call({ method, target, headers, body, arrivedAtMs })
      const [prefix, path] = splitPrefix(call.path)
      const serve = serves.get(prefix)
      if (prefix === '_control') control(call, path, response)
      else if (pages(call, response)) return
      else if (serve) serve(call, path, response)
      else send(response, json(404, { error: 'no such page or platform' }))
    })
  }
}

function splitPrefix(path: string): [string, string] {
  const end = path.indexOf('/', 1)
  return end === -1 ? [path.slice(1), '/'] : [path.slice(1, end), path.slice(end)]
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
