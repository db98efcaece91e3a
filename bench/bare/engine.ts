import { createServer as createHttp } from 'node:http'
import { createServer as createHttp2 } from 'node:http2'
import { parseArgs } from 'node:util'
import { createEndpointHandler, service, type Context } from '@restatedev/restate-sdk'
import { Pool } from 'undici'
import type { BareCall } from './calls.ts'

/**
 * The least that Restate with a worker can do for a due channel: one journaled step that makes the call. No guard, no rate limit, no
 * status. It is a separate process, as the worker of the service is.
 */
const { values } = parseArgs({
  options: { port: { type: 'string' }, control: { type: 'string' }, simulator: { type: 'string' } },
})

const pool = new Pool(values.simulator ?? '', { connections: 128, headersTimeout: 60_000 })
const tally = { answered: 0, refused: 0, lastAtMs: 0 }

async function send({ path, headers, body }: BareCall): Promise<number> {
  const answer = await pool.request({ method: 'POST', path, headers, body })
  await answer.body.dump()
  tally.answered++
  if (answer.statusCode >= 300) tally.refused++
  tally.lastAtMs = Date.now()
  return answer.statusCode
}

const bare = service({
  name: 'bare',
  handlers: {
    one: (run: Context, call: BareCall) => run.run('send', () => send(call)),
    many: (run: Context, calls: BareCall[]) => run.run('send', () => Promise.all(calls.map(send)).then((all) => all.length)),
  },
})

createHttp2(createEndpointHandler({ services: [bare], logger: () => {} })).listen(Number(values.port), '127.0.0.1')
createHttp((request, response) => {
  const { answered, refused, lastAtMs } = tally
  if (request.method === 'DELETE') Object.assign(tally, { answered: 0, refused: 0, lastAtMs: 0 })
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ answered, refused, lastAtMs }))
}).listen(Number(values.control), '127.0.0.1')
