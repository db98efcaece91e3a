import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { readRouterConfig } from '../../config.ts'
import { createLog } from '../../infra/log/create-log.ts'
import { createRouterApp } from './router-command.ts'
import { createRouter, type Router } from './router.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown
type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** An HTTP server in the place of a cell, which records what reaches it. */
export type CellStub = { url: string; seen: Seen[]; answer(handler: Handler): void; stop(): Promise<void> }

export async function startCellStub(name: string): Promise<CellStub> {
  const seen: Seen[] = []
  const usual: Handler = async (request, response) => {
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: await text(request) })
    response.setHeader('x-cell', name).end(`answer of ${name}`)
  }
  let handler = usual
  const server = createServer((request, response) => void handler(request, response))
  await listen(server)
  return {
    url: addressOf(server),
    seen,
    answer(next) {
      handler = next
    },
    stop: () => stop(server),
  }
}

export type TestRouter = { url: string; router: Router; app: FastifyInstance; stop(): Promise<void> }

export async function startRouter(
  cells: Readonly<Record<number, string>>,
  env: Record<string, string> = {},
): Promise<TestRouter> {
  const config = readRouterConfig({
    CARILLON_ROUTER_CELLS: Object.entries(cells)
      .map(([cell, url]) => `${cell}=${url}`)
      .join(','),
    CARILLON_LOG_LEVEL: 'silent',
    ...env,
  })
  const router = createRouter(config, createLog(config.logLevel))
  const app = createRouterApp(router)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: addressOf(app.server),
    router,
    app,
    async stop() {
      const closing = app.close()
      // A client that was refused may still be sending.
      app.server.closeAllConnections()
      await closing
      await router.close()
    },
  }
}

/** Sends bytes as they are and returns everything that comes back until the connection ends or is silent. */
export async function sendRaw(url: string, bytes: string, silentMs = 500): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  socket.setTimeout(silentMs, () => socket.destroy())
  socket.on('data', (data) => (received += data.toString('latin1')))
  socket.on('error', () => {})
  socket.write(bytes)
  await once(socket, 'close')
  return received
}

/** An address at which nothing listens. */
export async function closedUrl(): Promise<string> {
  const server = createServer()
  await listen(server)
  const url = addressOf(server)
  await stop(server)
  return url
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
