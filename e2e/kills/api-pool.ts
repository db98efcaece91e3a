import { join } from 'node:path'
import type { Stack } from '@carillon/stack'
import { freePorts, startCarillon } from '@carillon/stack/services'

type Victim = { baseUrl: string; kill(): Promise<void> }

export type ApiPool = {
  /** A process that runs. It is used by one caller, who kills it. */
  take(): Promise<Victim>
  stop(): Promise<void>
}

/** API processes beside that of the stack. One that was killed is started again while the next one is used. */
export async function startApiPool(stack: Stack, count: number): Promise<ApiPool> {
  const ports = await freePorts(count)
  // Most of a start is compiling. The cache is written when a process ends by itself, so the first one is stopped and not killed.
  const cache = { NODE_COMPILE_CACHE: join(stack.info.dir, 'compile-cache') }
  const start = (port: number, at: number) =>
    startCarillon({
      role: 'api',
      name: `victim-${at + 1}`,
      dir: join(stack.info.dir, 'logs'),
      env: { ...stack.env, ...cache, CARILLON_PORT: String(port) },
      port,
      workerPort: 0,
      restateAdminUrl: stack.info.restateAdminUrl,
    })
  await (await start(ports[0] ?? 0, 0)).stop()
  const servers = await Promise.all(ports.map(start))
  const ready = servers.map((server, at) => Promise.resolve({ server, port: ports[at] ?? 0 }))
  return {
    async take() {
      const first = ready.shift()
      if (!first) throw new Error('every process is in use')
      const { server, port } = await first
      return {
        baseUrl: `http://127.0.0.1:${port}/api`,
        async kill() {
          await server.kill()
          const started = server.restart().then(() => ({ server, port }))
          // Whoever takes it is told.
          started.catch(() => {})
          ready.push(started)
        },
      }
    },
    async stop() {
      await Promise.allSettled(ready)
      await Promise.all(servers.map((server) => server.kill()))
    },
  }
}
