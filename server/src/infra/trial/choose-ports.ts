import { createServer, type AddressInfo, type Server } from 'node:net'

/** Finds ports of this machine that are free now. All are held open until the last one is found, so no number is returned twice. */
export async function choosePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))))
  return ports
}

function listen(): Promise<Server> {
  return new Promise((done, failed) => {
    const server = createServer()
    server.once('error', failed)
    server.listen(0, '127.0.0.1', () => done(server))
  })
}
