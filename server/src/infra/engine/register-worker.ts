import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { callAdmin } from './call-admin.ts'

/** Where the engine is, and where it reaches the workers. */
export type Registration = { adminUrl: string; workerUrl: string }

/**
 * Registers the address of the workers with the engine. True if the engine knew no worker before: it is new, or it lost its data and with
 * them every job that was enqueued.
 */
export async function registerWorker({ adminUrl, workerUrl }: Registration): Promise<boolean> {
  const known = await callAdmin(`${adminUrl}/deployments`)
  // The same address again is the same worker after a restart, possibly with newer code, so the engine has to read its handlers again.
  await callAdmin(`${adminUrl}/deployments`, { method: 'POST', json: { uri: workerUrl, force: true } })
  return isEmpty(known)
}

const attempts = 60

/** The same at start, when the engine may still be starting too. */
export async function registerWorkerWithRetries(registration: Registration, log: Logger): Promise<boolean> {
  for (let n = 1; ; n++) {
    try {
      return await registerWorker(registration)
    } catch (error) {
      if (n >= attempts) throw error
      log.debug({ err: error }, 'the engine does not accept the registration of this worker yet')
      await sleep(1000)
    }
  }
}

function isEmpty(answer: unknown): boolean {
  const { deployments } = answer as { deployments?: unknown[] }
  return deployments?.length === 0
}
