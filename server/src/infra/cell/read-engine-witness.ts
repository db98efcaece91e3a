import { request } from 'undici'
import { witnessPlace } from './witness.workflow.ts'
import { parseWitness } from './parse-witness.ts'
import type { Witness } from './witness.ts'

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
