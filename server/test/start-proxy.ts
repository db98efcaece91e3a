import { connect, createServer, type Socket } from 'node:net'

export type TestProxy = {
  url: string
  /** Stops forwarding on all open connections without closing them. New connections work. */
  silence(): void
  /** Closes the next connection on which the client sends this text, after the server has carried it out and before the client learns so. */
  breakAfter(text: string): void
  /** How often clients have sent something after an answer. */
  turns(): number
  stop(): Promise<void>
}

/**
 * A TCP proxy in front of a server, for connections that a network device drops without telling either end, and to count how often a client
 * waits for an answer before it sends more.
 */
export async function startProxy(targetUrl: string): Promise<TestProxy> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let breaksAfter: string | null = null
  let turns = 0
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes) => {
      if (breaksAfter === null || !bytes.toString('latin1').includes(breaksAfter)) return
      breaksAfter = null
      upstream.unpipe(client)
      upstream.once('data', () => client.destroy())
    })
    let isAnswered = true
    client.on('data', () => {
      if (isAnswered) turns++
      isAnswered = false
    })
    upstream.on('data', () => void (isAnswered = true))
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
    breakAfter: (text) => void (breaksAfter = text),
    turns: () => turns,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
