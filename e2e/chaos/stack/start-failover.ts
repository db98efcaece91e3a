import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '@carillon/stack/services'

/** One address in front of several backends. Each connection goes to the next backend that accepts it, and ends when that backend ends. */
export async function startFailover(backends: readonly number[]): Promise<{ url: string; close(): void }> {
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client)
    client.once('close', () => open.delete(client))
    client.on('error', () => client.destroy())
    turn++
    connectToNext(
      client,
      [...backends.keys()].map((n) => backends[(n + turn) % backends.length] ?? 0),
    )
  })
  const port = await freePort()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function connectToNext(client: Socket, [port, ...others]: readonly number[]): void {
  if (port === undefined) {
    client.destroy()
    return
  }
  let isConnected = false
  const backend = connect(port, '127.0.0.1', () => {
    isConnected = true
    client.pipe(backend)
    backend.pipe(client)
  })
  backend.on('error', () => {
    if (isConnected) client.destroy()
    else connectToNext(client, others)
  })
  backend.on('close', () => isConnected && client.destroy())
  client.once('close', () => backend.destroy())
}
