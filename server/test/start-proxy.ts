import { connect, createServer, type Socket } from 'node:net'

export type TestProxy = {
  url: string
  /** Stops forwarding on all open connections without closing them. New connections work. */
  silence(): void
  stop(): Promise<void>
}

/** A TCP proxy in front of a server, for connections that a network device drops without telling either end. */
export async function startProxy(targetUrl: string): Promise<TestProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.pipe(client)
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a TCP port')
  const url = new URL(targetUrl)
  url.port = String(address.port)
  return {
    url: url.href,
    silence() {
      for (const socket of sockets) {
        socket.unpipe()
        // Read and discard, so that neither end notices a full buffer.
        socket.resume()
      }
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
