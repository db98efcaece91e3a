import { createServer, type Server } from 'node:net'

/**
 * Ports that were free a moment ago. All are held open together before any is given back, so no number comes twice; the range below the
 * system's own (32768 up) keeps an outgoing connection from taking one before its server listens.
 */
export async function freePorts(count: number): Promise<number[]> {
  const held: Server[] = []
  try {
    while (held.length < count) {
      const server = await listen(lowest + Math.floor(Math.random() * (highest - lowest)))
      if (server) held.push(server)
    }
    return held.map(portOf)
  } finally {
    await Promise.all(held.map((server) => new Promise((done) => server.close(done))))
  }
}

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  if (port === undefined) throw new Error('no free port')
  return port
}

export async function isFree(port: number): Promise<boolean> {
  const server = await listen(port)
  if (!server) return false
  await new Promise((done) => server.close(done))
  return true
}

const lowest = 20_000
const highest = 32_000

function listen(port: number): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(undefined))
    server.listen(port, '127.0.0.1', () => done(server))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a TCP port')
  return address.port
}
