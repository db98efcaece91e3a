import { createServer, type Server } from 'node:net'

/**
 * Finds ports that are free now. All are held open until the last one is found, so no number is returned twice. The range is below the
 * system's own (from 32768), so no outgoing connection takes a port before its server listens.
 *
 * Why not get-port: it remembers the ports it gave out only within its own process, and it tries a range in ascending order. Two stacks
 * that start at the same time in two processes would get the same ports. Numbers chosen at random hardly ever meet.
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
