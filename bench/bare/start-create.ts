import type { Stack } from '@carillon/stack'
import { requestJson } from '../request-json.ts'
import type { Load } from '../load/http-load.ts'
import { startScript } from './start-script.ts'

type Options = { slugs: readonly string[]; connections: number }

export async function startBareCreate(stack: Stack, { slugs, connections }: Options) {
  const about = ['--workspace', stack.info.workspaceId, '--slugs', slugs.join(','), '--connections', String(connections)]
  const { pid, url, stop } = await startScript(stack, 'create', about)
  return {
    pid,
    run: (seconds: number, waits: 'together' | 'in steps') =>
      requestJson<Load>(`${url}?seconds=${seconds}&due=later&waits=${encodeURIComponent(waits)}`),
    stop,
  }
}
