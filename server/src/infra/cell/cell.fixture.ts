import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { openServer } from '../../../test/open-server.ts'
import type { Engine } from '../engine/engine.ts'
import { UnknownServiceError } from '../engine/ingress.ts'
import type { Send } from './cell.store.ts'

/** The part of the engine that the witness uses: a stored value that can be queried, emptied and made unreachable. */
export async function startEngineStub() {
  const state = { value: null as string | null, isDown: false, hasWorker: true, armed: [] as Send[][] }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (state.isDown) return void response.writeHead(503).end('down')
    const { query } = (await json(request)) as { query: string }
    const values = state.value === null ? [] : [{ value_utf8: state.value }]
    // As the engine stores the result of a step: a few bytes of its own format before the JSON.
    const journal = state.armed.map((armed) => ({
      raw: Buffer.from(`\u0008\u0001*${JSON.stringify({ armed })}`).toString('hex'),
    }))
    const rows = query.includes('sys_journal') ? journal : values
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ rows }))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const engine: Engine = {
    wakeWorkers() {},
    async waitFor() {},
    async send({ service, payload }) {
      if (state.isDown) throw new Error('the engine is down')
      if (!state.hasWorker) throw new UnknownServiceError(`the engine answered 404 to ${service}/save`)
      if (service === 'witness') state.value = JSON.stringify(payload)
    },
  }
  return {
    state,
    engine,
    adminUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((done) => server.close(() => done())),
  }
}

type EngineStub = Awaited<ReturnType<typeof startEngineStub>>

/** A server process as a worker sees it, with its media in a folder. */
export function openCell({ databaseUrl, mediaDir, engine }: { databaseUrl: string; mediaDir: string; engine: EngineStub }) {
  const database = { url: databaseUrl, stop: async () => {} }
  const env = { RESTATE_ADMIN_URL: engine.adminUrl, CARILLON_MEDIA_DIR: mediaDir }
  return openServer({ database, env, replace: { engine: engine.engine } })
}
