import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { request } from 'undici'

const attempts = 60

/** Tells the engine where this worker's workflows are. The engine may still be starting, so it is asked patiently. */
export async function registerWorker({
  adminUrl,
  workerUrl,
  log,
}: {
  adminUrl: string
  workerUrl: string
  log: Logger
}): Promise<void> {
  for (let n = 1; ; n++) {
    try {
      const { statusCode, body } = await request(`${adminUrl}/deployments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        // The same address again is the same worker restarted, perhaps with newer code.
        body: JSON.stringify({ uri: workerUrl, force: true }),
      })
      const answer = await body.text()
      if (statusCode < 300) return
      throw new Error(`the engine answered ${statusCode}: ${answer.slice(0, 300)}`)
    } catch (error) {
      if (n >= attempts) throw error
      log.debug({ err: error }, 'the engine is not ready to learn of this worker')
      await sleep(1000)
    }
  }
}
