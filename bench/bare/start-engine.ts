import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts, startProgram } from '@carillon/stack/services'
import type { Stack } from '@carillon/stack'
import { Pool } from 'undici'
import { registerCleanup } from '../cleanup.ts'
import { requestJson } from '../request-json.ts'
import type { BareCall } from './calls.ts'

type Tally = { answered: number; refused: number; lastAtMs: number }
export type BareEngine = Awaited<ReturnType<typeof startBareEngine>>

/** Starts the bare worker next to the worker of the service, on the same Restate server and with the same simulator. */
export async function startBareEngine(stack: Stack) {
  const [port = 0, control = 0] = await freePorts(2)
  const controlUrl = `http://127.0.0.1:${control}`
  const running = await startProgram({
    name: 'bare worker',
    command: process.execPath,
    args: [
      join(import.meta.dirname, 'engine.ts'),
      '--port',
      String(port),
      '--control',
      String(control),
      '--simulator',
      stack.info.simulatorUrl,
    ],
    logFile: join(stack.info.dir, 'logs/bare-engine.log'),
    isReady: () =>
      requestJson(controlUrl).then(
        () => true,
        () => false,
      ),
  })
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

  const unregister = registerCleanup(() => running.stop())
  return {
    pid: running.pid,
    /** One engine run for each channel. */
    scheduleOnes: (calls: readonly BareCall[], dueAtMs: number) => Promise.all(calls.map((call) => sendAt('one', call, dueAtMs))),
    /** One engine run for a batch of channels of one platform, as the dispatcher of the service groups them. */
    scheduleMany: (batches: readonly BareCall[][], dueAtMs: number) =>
      Promise.all(batches.map((batch) => sendAt('many', batch, dueAtMs))),
    reset: () => requestJson(controlUrl, { method: 'DELETE' }),
    async waitAnswered(count: number, withinMs: number): Promise<Tally> {
      for (const endsAtMs = Date.now() + withinMs; ; await sleep(50)) {
        const tally = await requestJson<Tally>(controlUrl)
        if (tally.answered >= count || Date.now() > endsAtMs) return tally
      }
    },
    async stop() {
      await ingress.close()
      unregister()
      await running.stop()
    },
  }
}
