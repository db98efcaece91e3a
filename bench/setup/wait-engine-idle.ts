import { setTimeout as sleep } from 'node:timers/promises'
import { requestJson } from '../request-json.ts'

const everyMs = 500
const query =
  "select count(*) as open from sys_invocation where target_service_name in ('publish', 'bare') and status <> 'completed'"

/**
 * Waits until the engine holds no run of either side. A channel that was slow leaves a run behind that asks after it some forty seconds
 * later; it would otherwise be paid for by whatever is measured next.
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
