import { freePort } from '@carillon/stack/services'
import type { Stack } from '@carillon/stack'
import { Pool } from 'undici'
import { requestJson } from '../request-json.ts'
import { startBareWorker, type Bare } from './bare-worker.ts'

/** Restate with a bare worker, on the same Restate server as the service. */
export async function startBareEngine(stack: Stack): Promise<Bare> {
  const port = await freePort()
  const worker = await startBareWorker(stack, { name: 'bare engine', program: 'engine.ts', args: ['--port', String(port)] })
  await requestJson(`${stack.info.restateAdminUrl}/deployments`, { body: { uri: `http://127.0.0.1:${port}`, force: true } })
  const ingress = new Pool(stack.info.restateIngressUrl, { connections: 64 })

  const sendAt = async (handler: string, payload: unknown, dueAtMs: number) => {
    const delayMs = Math.max(1, dueAtMs - Date.now())
    const { statusCode, body } = await ingress.request({
      method: 'POST',
      path: `/bare/${handler}/send?delay=${delayMs}ms`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    })
    await body.dump()
    if (statusCode >= 300) throw new Error(`the engine answered ${statusCode}`)
  }

  return {
    ...worker,
    get pid() {
      return worker.pid
    },
    scheduleOnes: (calls, dueAtMs) => Promise.all(calls.map((call) => sendAt('one', call, dueAtMs))),
    scheduleMany: (batches, dueAtMs) => Promise.all(batches.map((batch) => sendAt('many', batch, dueAtMs))),
    async stop() {
      await ingress.close()
      await worker.stop()
    },
  }
}
