import { createServer } from 'node:http2'
import { parseArgs } from 'node:util'
import { createEndpointHandler, service, type Context } from '@restatedev/restate-sdk'
import type { BareCall } from './calls.ts'
import { startSender } from './start-sender.ts'

/**
 * The least that Restate with a worker can do for a due channel: one journaled step that makes the call. No guard, no rate limit, no
 * status. It is a separate process, as the worker of the service is.
 */
const { values } = parseArgs({
  options: { port: { type: 'string' }, control: { type: 'string' }, simulator: { type: 'string' } },
})
const send = startSender(values)

const bare = service({
  name: 'bare',
  handlers: {
    one: (run: Context, call: BareCall) => run.run('send', () => send(call)),
    many: (run: Context, calls: BareCall[]) => run.run('send', () => Promise.all(calls.map(send)).then((all) => all.length)),
  },
})

createServer(createEndpointHandler({ services: [bare], logger: () => {} })).listen(Number(values.port), '127.0.0.1')
