import { join } from 'node:path'
import { freePort, isFree, startProgram } from '@carillon/scripts/services'
import type { Stack } from '@carillon/scripts/stack'
import { cleanUpWith } from '../cleanup.ts'
import { askJson } from '../json.ts'
import type { Load } from '../load/http-load.ts'
import type { Sent } from '../measure/capture.ts'

/** The bare script as a process of its own, as the API is one. */
export async function startBareReads({ info }: Stack, connections: number) {
  const control = await freePort()
  const script = join(import.meta.dirname, 'reads.ts')
  const running = await startProgram({
    name: 'bare reads',
    command: process.execPath,
    args: [script, '--control', String(control), '--database', info.databaseUrl, '--connections', String(connections)],
    logFile: join(info.dir, 'logs/bare-reads.log'),
    isReady: async () => !(await isFree(control)),
  })
  const forget = cleanUpWith(() => running.stop())
  return {
    pid: running.pid,
    /** The statements of each transaction in turn. */
    run: (seconds: number, transactions: readonly Sent[][]) =>
      askJson<Load>(`http://127.0.0.1:${control}/`, { body: { seconds, transactions } }),
    async stop() {
      forget()
      await running.stop()
    },
  }
}

export type BareReads = Awaited<ReturnType<typeof startBareReads>>
