import type { Db } from '../db/db.ts'
import { notify } from '../db/notify.store.ts'

export const dueChannel = 'carillon_due'

export function notifyWorkers(system: Db): Promise<void> {
  return notify(system, dueChannel)
}
