import { request } from 'undici'
import { callAdmin } from '../engine/call-admin.ts'
import type { Send } from './cell.store.ts'
import { type Witness, parseWitness } from './witness.ts'
import { witnessPlace } from './witness.workflow.ts'

const timeoutMs = 5_000

/**
 * Reads the witness from the engine's storage; null when there is none. It asks the admin interface instead of calling the object, because
 * a call needs a registered worker and waits behind other runs. Throws when the engine cannot be asked.
 */
export async function readEngineWitness(adminUrl: string): Promise<Witness | null> {
  const { service, key, value } = witnessPlace
  const query = `select value_utf8 from state where service_name = '${service}' and service_key = '${key}' and key = '${value}'`
  const { statusCode, body } = await request(`${adminUrl}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  const text = await body.text()
  if (statusCode >= 300) throw new Error(`the engine answered ${statusCode} to a query: ${text.slice(0, 300)}`)
  const { rows } = JSON.parse(text) as { rows: { value_utf8: string }[] }
  return rows[0] ? parseWitness(rows[0].value_utf8) : null
}

/** The run that sends a batch. Its first step sets the guards; the result of that step begins with `armed`. Stored data depend on these names. */
export const sendingRun = { service: 'publish', handler: 'submit' } as const

/** How long the engine keeps what the runs journaled after they have ended. */
export const sendsKeptMs = 3_600_000

/**
 * The sends that workers have told the engine of since then, before the first byte of each. Read from the journal: the first entry is the
 * input, the second the step, the third its result, or the fourth if the run was cancelled meanwhile. Throws when the engine cannot be asked.
 */
export async function readEngineSends(adminUrl: string, sinceMs: number): Promise<Send[]> {
  const query = `
    select j.raw
    from sys_journal j
    join sys_invocation_status i on i.id = j.id
    where i.target_service_name = '${sendingRun.service}' and i.target_handler_name = '${sendingRun.handler}'
      and j.entry_type = 'Notification: Run' and j.index between 2 and 3
      and j.appended_at >= '${new Date(sinceMs).toISOString()}'`
  const { rows } = (await callAdmin(`${adminUrl}/query`, { method: 'POST', json: { query } })) as { rows: { raw: string }[] }
  return rows.flatMap(({ raw }) => parseArmed(Buffer.from(raw, 'hex').toString()))
}

/** The entry ends with the step's result as JSON. A run of an earlier release has another first step. */
function parseArmed(entry: string): Send[] {
  const start = entry.indexOf('{"armed":')
  if (start === -1) return []
  const { armed } = JSON.parse(entry.slice(start)) as { armed: Send[] }
  return armed
}
