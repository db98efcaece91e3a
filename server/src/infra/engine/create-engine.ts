import type { Logger } from 'pino'
import type { Database } from '../db/db.ts'
import type { Engine } from './engine.ts'
import { openIngress } from './ingress.ts'
import { notifyWorkers } from './notify-workers.store.ts'

/** However many posts are created, workers are notified at most this often. */
const wakeEveryMs = 20

export function createEngine({
  ingressUrl,
  db,
  log,
}: {
  ingressUrl: string
  db: Database
  log: Logger
}): Engine & { close(): Promise<void> } {
  const ingress = openIngress(ingressUrl)
  let pending: NodeJS.Timeout | null = null
  return {
    wakeWorkers() {
      pending ??= setTimeout(() => {
        pending = null
        notifyWorkers(db.system).catch((error: unknown) =>
          log.warn({ err: error }, 'workers were not notified; their next poll finds the post'),
        )
      }, wakeEveryMs)
    },
    send: (job, key) => ingress.send(job, key),
    waitFor: (job, key) => ingress.waitFor(job, key),
    async close() {
      if (pending) clearTimeout(pending)
      await ingress.close()
    },
  }
}
