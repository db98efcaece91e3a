import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort, startCarillon } from '@carillon/stack/services'
import { testStack } from '../test-stack.ts'
import { serverEnv } from './server-env.ts'

export type SecondServer = AsyncDisposable & { baseUrl: string; cutDatabase(): void; stop(): Promise<void> }

type Settings = Record<string, string>

/** Another API process on the stack's data, with other settings. Its connection to the database can be cut. */
export async function startSecondServer(settings: Settings | ((origin: string) => Settings)): Promise<SecondServer> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const proxy = await openTcpProxy(new URL(testStack.databaseUrl))
  const url = new URL(testStack.databaseUrl)
  url.port = String(proxy.port)
  const server = await startCarillon({
    role: 'api',
    dir: join(testStack.dir, 'logs', 'second'),
    env: {
      ...serverEnv(),
      CARILLON_PORT: String(port),
      DATABASE_URL: url.href,
      ...(typeof settings === 'function' ? settings(origin) : settings),
    },
    port,
    workerPort: 0,
    restateAdminUrl: testStack.restateAdminUrl,
  })
  const stop = async () => {
    await server.stop()
    proxy.close()
  }
  return { baseUrl: `${origin}/api`, cutDatabase: proxy.close, stop, [Symbol.asyncDispose]: stop }
}

/** A local TCP port that forwards to the database until it is closed. */
async function openTcpProxy({ hostname, port }: URL): Promise<{ port: number; close(): void }> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy()).on('close', () => to.destroy())
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the proxy has no port')
  return {
    port: address.port,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
