import { createServer } from 'node:http'
import { Pool } from 'undici'
import type { BareCall } from './calls.ts'

/** What a bare worker does with a call: it sends it and counts. The counts are read and reset through a port of their own. */
export function startSender({ simulator = '', control }: { simulator?: string; control?: string }) {
  const pool = new Pool(simulator, { connections: 128, headersTimeout: 60_000 })
  const tally = { answered: 0, refused: 0, lastAtMs: 0 }
  createServer((request, response) => {
    const { answered, refused, lastAtMs } = tally
    if (request.method === 'DELETE') Object.assign(tally, { answered: 0, refused: 0, lastAtMs: 0 })
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ answered, refused, lastAtMs }))
  }).listen(Number(control), '127.0.0.1')

  return async function send({ path, headers, body }: BareCall): Promise<number> {
    const response = await pool.request({ method: 'POST', path, headers, body })
    await response.body.dump()
    tally.answered++
    if (response.statusCode >= 300) tally.refused++
    tally.lastAtMs = Date.now()
    return response.statusCode
  }
}
