import { createServer, type ListenOptions, type Server } from 'node:net'

/**
 * Finds ports that are free now and that no other process got here shortly before. The range is below the system's own (from 32768), so no
 * outgoing connection takes a port before its server listens.
 *
 * Why not get-port: it remembers the ports it gave out only within its own process, and it tries a range in ascending order. Two stacks
 * that start at the same time in two processes would get the same ports.
 */
export async function freePorts(count: number, range = { lowest: 20_000, highest: 32_000 }): Promise<number[]> {
  const held: Server[] = []
  try {
    while (held.length < count) {
      const port = range.lowest + Math.floor(Math.random() * (range.highest - range.lowest))
      const server = (await claim(port)) && (await listen({ port, host: '127.0.0.1' }))
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
  const server = await listen({ port, host: '127.0.0.1' })
  if (!server) return false
  await new Promise((done) => server.close(done))
  return true
}

/** Longer than a whole stack takes to start on a busy machine. */
const claimMs = 300_000

/**
 * Takes a number until its server listens. Between the two, the port looks free to other processes. A claim is a socket with a name instead of
 * a port, which only Linux has; it ends with the process. Elsewhere, two stacks that start at the same time rarely meet.
 */
async function claim(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const server = await listen({ path: `\0carillon-port-${port}` })
  server?.unref()
  setTimeout(() => server?.close(), claimMs).unref()
  return server !== undefined
}

function listen(address: ListenOptions): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(undefined))
    server.listen(address, () => done(server))
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a TCP port')
  return address.port
}
