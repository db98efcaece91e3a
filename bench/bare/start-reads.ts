import type { Stack } from '@carillon/stack'
import { askJson } from '../json.ts'
import type { Load } from '../load/http-load.ts'
import type { Sent } from '../measure/capture.ts'
import { startScript } from './start-script.ts'

export async function startBareReads(stack: Stack, connections: number) {
  const { pid, url, stop } = await startScript(stack, 'reads', ['--connections', String(connections)])
  return {
    pid,
    /** The statements of each transaction in turn. */
    run: (seconds: number, transactions: readonly Sent[][]) => askJson<Load>(url, { body: { seconds, transactions } }),
    stop,
  }
}

export type BareReads = Awaited<ReturnType<typeof startBareReads>>
