import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'

export type Canary = AsyncDisposable & {
  port: number
  url(path: string): string
  /** Sockets opened to it, whether or not anything was sent. */
  connections(): number
  requests(): number
}

type Options = { host?: string; port?: number; tls?: { key: string; cert: string } }

/** A server inside the network, to be reached only by those who may; it counts who comes. */
export async function openCanary(
  listener: RequestListener,
  { host = '127.0.0.1', port = 0, tls }: Options = {},
): Promise<Canary> {
  const sockets = new Set<Socket>()
  let connections = 0
  let requests = 0
  const counted: RequestListener = (request, response) => {
    requests++
    listener(request, response)
  }
  const server = tls ? createSecureServer(tls, counted) : createServer(counted)
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    url: (path) => `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`,
    connections: () => connections,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
