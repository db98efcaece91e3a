import { setTimeout as sleep } from 'node:timers/promises'
import { requestJson } from '../request-json.ts'

const everyMs = 500
const query =
  "select count(*) as open from sys_invocation where target_service_name in ('publish', 'bare') and status <> 'completed'"

/**
 * Waits until the engine has no open runs of either side. A slow channel leaves a run that checks it some forty seconds later, which would
 * slow down the next measurement.
 */
export async function waitEngineIdle(adminUrl: string, withinMs: number): Promise<number> {
  for (const endsAtMs = Date.now() + withinMs; ; await sleep(everyMs)) {
    const { rows } = await requestJson<{ rows: { open: number }[] }>(`${adminUrl}/query`, {
      body: { query },
      headers: { accept: 'application/json' },
    })
    const open = rows[0]?.open ?? 0
    if (open === 0 || Date.now() > endsAtMs) return open
  }
}
