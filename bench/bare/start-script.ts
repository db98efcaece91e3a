import { join } from 'node:path'
import { freePort, isFree, startProgram } from '@carillon/stack/services'
import type { Stack } from '@carillon/stack'
import { registerCleanup } from '../cleanup.ts'

/** Starts a bare script as a separate process, as the API is one. It accepts its commands at `url`. */
export async function startScript({ info }: Stack, name: string, args: readonly string[]) {
  const control = await freePort()
  const running = await startProgram({
    name: `bare ${name}`,
    command: process.execPath,
    args: [join(import.meta.dirname, `${name}.ts`), '--control', String(control), '--database', info.databaseUrl, ...args],
    logFile: join(info.dir, `logs/bare-${name}.log`),
    isReady: async () => !(await isFree(control)),
  })
  const unregister = registerCleanup(() => running.stop())
  return {
    pid: running.pid,
    url: `http://127.0.0.1:${control}/`,
    async stop() {
      unregister()
      await running.stop()
    },
  }
}
