import type { Logger } from 'pino'
import type { Database } from '../db/db.ts'
import type { Engine } from './engine.ts'
import { openIngress } from './ingress.ts'
import { notifyDue } from './nudge.store.ts'

/** However many posts are created, the dispatchers are told at most this often. */
const nudgeEveryMs = 20

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
    nudge() {
      pending ??= setTimeout(() => {
        pending = null
        notifyDue(db.system).catch((error: unknown) =>
          log.warn({ err: error }, 'the nudge was lost; the next look finds the post'),
        )
      }, nudgeEveryMs)
    },
    send: (errand, key) => ingress.send(errand, key),
    async close() {
      if (pending) clearTimeout(pending)
      await ingress.close()
    },
  }
}
