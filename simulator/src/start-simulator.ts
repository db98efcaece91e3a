import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createControl } from './control/create-control.ts'
import { DataFolder } from './storage/data-folder.ts'
import { Call } from './http/call.ts'
import { readBody } from './http/read-body.ts'
import { json } from './http/reply.ts'
import { send } from './http/send.ts'
import { createPages } from './page/create-pages.ts'
import type { Platform } from './platform.ts'
import { platformFactories } from './platforms/platform-factories.gen.ts'
import { serveSockets } from './serve-sockets.ts'
import { servePlatform, type PlatformHandler } from './serve-platform.ts'
import { SimulatorState } from './state/simulator-state.ts'

export type SimulatorOptions = {
  /** The default, 0, takes a free port. */
  port?: number
  host?: string
  /** The URL for browsers, if it differs from the address the server listens on. */
  publicUrl?: string
  /** A folder in which accounts, tokens and posts survive a restart. Without it, everything is in memory only. */
  dataDir?: string | undefined
}

export type Simulator = { url: string; port: number; close: () => Promise<void> }

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = new SimulatorState()
  const platforms = platformFactories.map((factory) => factory.create(simulator))
  const data = options.dataDir === undefined ? undefined : new DataFolder(options.dataDir, simulator, platforms)
  data?.load()
  const server = createServer(listener(simulator, platforms, () => data?.saveSoon()))
  // Connectors keep connections open for longer than Node's five seconds. If the server closed them first, a request sent at that moment
  // would look like a dropped reply.
  server.keepAliveTimeout = 65_000

  const sockets = serveSockets(server, platforms)

  const host = options.host ?? '127.0.0.1'
  const port = await listen(server, options.port ?? 0, host)
  const url = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
  simulator.url = options.publicUrl ?? url
  return {
    url,
    port,
    async close() {
      sockets.close()
      await close(server)
      data?.save()
    },
  }
}

function listener(simulator: SimulatorState, platforms: readonly Platform[], noteChange: () => void) {
  const handlers = new Map<string, PlatformHandler>()
  for (const platform of platforms) handlers.set(platform.context.name, servePlatform(platform))
  const pages = createPages(simulator, platforms)
  const control = createControl(simulator, platforms)

  return (request: IncomingMessage, response: ServerResponse) => {
    const arrivedAtMs = Date.now()
    readBody(request, (body) => {
      const { method = 'GET', url: target = '/', headers } = request
      const call = new Call({ method, target, headers, body, arrivedAtMs })
      const [prefix, path] = splitPrefix(call.path)
      const handlePlatformCall = handlers.get(prefix)
      if (prefix === '_control') {
        control(call, path, response)
        if (method !== 'GET') noteChange()
      } else if (pages(call, response)) return
      else if (handlePlatformCall) {
        handlePlatformCall(call, path, response)
        noteChange()
      } else send(response, json(404, { error: 'no such page or platform' }))
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
