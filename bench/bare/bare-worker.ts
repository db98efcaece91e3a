import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stack } from '@carillon/stack'
import { freePort, startProgram } from '@carillon/stack/services'
import { registerCleanup } from '../cleanup.ts'
import { requestJson } from '../request-json.ts'
import type { BareCall } from './calls.ts'

type Tally = { answered: number; refused: number; lastAtMs: number }

/** A bare worker and the ways to give it calls for a time. */
export type Bare = {
  readonly pid: number
  /** One run of the engine, or one job of the queue, for each channel. */
  scheduleOnes(calls: readonly BareCall[], dueAtMs: number): Promise<unknown>
  /** One run or job for a batch of channels of one platform, as the dispatcher of the service groups them. */
  scheduleMany(batches: readonly BareCall[][], dueAtMs: number): Promise<unknown>
  reset(): Promise<unknown>
  waitAnswered(count: number, withinMs: number): Promise<Tally>
  /** Ends the process without a chance to finish anything, and starts it again. */
  killAndRestart(): Promise<void>
  stop(): Promise<void>
}

/** Starts one of the programs of this folder beside the worker of the service, with the same simulator. */
export async function startBareWorker(
  { info }: Stack,
  { name, program, args }: { name: string; program: string; args: readonly string[] },
) {
  const control = await freePort()
  const controlUrl = `http://127.0.0.1:${control}`
  const running = await startProgram({
    name,
    command: process.execPath,
    args: [join(import.meta.dirname, program), '--control', String(control), '--simulator', info.simulatorUrl, ...args],
    logFile: join(info.dir, `logs/${name.replaceAll(' ', '-')}.log`),
    isReady: () =>
      requestJson(controlUrl).then(
        () => true,
        () => false,
      ),
  })
  const unregister = registerCleanup(() => running.stop())
  return {
    get pid() {
      return running.pid
    },
    reset: () => requestJson(controlUrl, { method: 'DELETE' }),
    async waitAnswered(count: number, withinMs: number): Promise<Tally> {
      for (const endsAtMs = Date.now() + withinMs; ; await sleep(50)) {
        const tally = await requestJson<Tally>(controlUrl)
        if (tally.answered >= count || Date.now() > endsAtMs) return tally
      }
    },
    async killAndRestart() {
      await running.kill()
      await running.restart()
    },
    async stop() {
      unregister()
      await running.stop()
    },
  }
}
