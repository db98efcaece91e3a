import type { Db, Tx } from '../db/db.ts'
import { insertEvents, type Happening } from './outbox.store.ts'

export type { Happening } from './outbox.store.ts'

/** Notes what happened, in the transaction in which it happened. Webhooks, mail and live updates hang on this and on nothing else. */
export function noteEvents(tx: Db | Tx, events: readonly Happening[]): Promise<void> {
  return insertEvents(tx, events)
}
