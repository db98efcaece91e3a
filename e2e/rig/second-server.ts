import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { freePort, startCarillon } from '@carillon/stack/services'
import { world } from '../world.ts'
import { serverEnv } from './server-env.ts'

export type SecondServer = AsyncDisposable & { baseUrl: string; cutDatabase(): void; stop(): Promise<void> }

type Settings = Record<string, string>

/** Another API process on the stack's data, with other settings, whose way to the database can be cut. */
export async function startSecondServer(settings: Settings | ((origin: string) => Settings)): Promise<SecondServer> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const door = await openDoor(new URL(world.databaseUrl))
  const url = new URL(world.databaseUrl)
  url.port = String(door.port)
  const server = await startCarillon({
    role: 'api',
    dir: join(world.dir, 'logs', 'second'),
    env: {
      ...serverEnv(),
      CARILLON_PORT: String(port),
      DATABASE_URL: url.href,
      ...(typeof settings === 'function' ? settings(origin) : settings),
    },
    port,
    workerPort: 0,
    restateAdminUrl: world.restateAdminUrl,
  })
  const stop = async () => {
    await server.stop()
    door.close()
  }
  return { baseUrl: `${origin}/api`, cutDatabase: door.close, stop, [Symbol.asyncDispose]: stop }
}

/** A TCP port that leads to the database until it is closed. */
async function openDoor({ hostname, port }: URL): Promise<{ port: number; close(): void }> {
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
  if (typeof address !== 'object' || !address) throw new Error('the door has no port')
  return {
    port: address.port,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
