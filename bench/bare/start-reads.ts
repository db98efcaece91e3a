import type { Stack } from '@carillon/stack'
import { requestJson } from '../request-json.ts'
import type { Load } from '../load/http-load.ts'
import type { SentStatement } from '../measure/capture.ts'
import { startScript } from './start-script.ts'

export async function startBareReads(stack: Stack, connections: number) {
  const { pid, url, stop } = await startScript(stack, 'reads', ['--connections', String(connections)])
  return {
    pid,
    /** Runs the statements of one transaction after another. */
    run: (seconds: number, transactions: readonly SentStatement[][]) =>
      requestJson<Load>(url, { body: { seconds, transactions } }),
    stop,
  }
}

export type BareReads = Awaited<ReturnType<typeof startBareReads>>
